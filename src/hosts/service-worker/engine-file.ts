/**
 * The script with the engine, which defines `kubetabEngine`; set by the bundler. Its name has a
 * content hash, so a new engine makes a new worker.
 *
 * Browsers store imported scripts with the worker, including compiled code. In the worker's own
 * script, the engine would be compiled before the first start, and fetched on every visit.
 */
export const ENGINE_FILE: string = ''
