/**
 * Name of the script with the engine (hosts/shared/browser-engine.ts and its imports), which
 * defines `kubetabEngine`. The name contains a content hash, so a new engine makes a new worker.
 * The bundler replaces this empty value.
 *
 * Browsers store imported scripts with the worker, together with compiled code, so a restart needs
 * no fetch and little compilation. In the worker's own script, the engine would be compiled before
 * the first start, and fetched on every visit.
 */
export const ENGINE_FILE: string = ''
