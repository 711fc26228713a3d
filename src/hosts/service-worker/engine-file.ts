/**
 * Name of the file, below the worker's script, that holds the engine (hosts/shared/browser-engine.ts with all it needs) as a script
 * that defines `kubetabEngine`, its exports. It carries a hash of its content, so that a new engine makes a new worker. Empty here:
 * bundling the worker puts the name in this module's place.
 *
 * Why a script that is imported: a browser keeps such a file with the worker, and what compiling it gave, so that a worker that wakes
 * up has nothing to fetch and little to compile. As part of the worker's own script it would be compiled to its last function before
 * the first visit's worker may begin, and requested again at every visit.
 */
export const ENGINE_FILE: string = ''
