/**
 * What scripts add to pages that work without them: the buttons of a stepper are shown and count, and a form that is
 * being sent can't be sent again by a second click.
 */
export const PAGE_SCRIPT = `(() => {
  for (const button of document.querySelectorAll('[data-step][hidden]')) button.hidden = false;
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-step]');
    const input = button && document.getElementById(button.getAttribute('aria-controls'));
    if (!input) return;
    if (button.dataset.step === 'up') input.stepUp(); else input.stepDown();
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = 'true';
    event.submitter?.setAttribute('aria-disabled', 'true');
  });
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
    for (const button of document.querySelectorAll('button[aria-disabled]')) button.removeAttribute('aria-disabled');
  });
})();
`;
