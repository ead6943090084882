/**
 * Frames of a stack trace in workflows. The SDK takes a trace for each promise and looks up the source of each frame;
 * with V8's ten frames that was a quarter of a task's work. Three still say where an error was thrown. Set when the
 * bundle is loaded: later `Error` is frozen.
 */
Error.stackTraceLimit = 3;
