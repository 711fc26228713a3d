/**
 * Name of the script next to the worker's that contains the engine (hosts/shared/browser-engine.ts
 * and its imports). It defines `kubetabEngine` with its exports. Its name contains a content hash,
 * so a new engine makes a new worker. The bundler replaces this empty value.
 *
 * Browsers store imported scripts with the worker, together with compiled code, so a restart needs
 * no fetch and little compilation. As a part of the worker's own script, the engine would be
 * compiled completely before the first start. Every visit would fetch it again.
 */
export const ENGINE_FILE: string = ''
