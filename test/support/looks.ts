/** Counts how often properties of objects are looked at. */
export class Looks {
  count = 0;

  at<T extends object>(value: T): T {
    return new Proxy(value, {
      get: (of, name): unknown => {
        this.count += 1;
        return Reflect.get(of, name);
      },
    });
  }
}
