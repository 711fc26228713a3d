/**
 * Name of the file, next to the worker's script, that lists the page's own files and the build they are of. It carries that build's
 * name, so that another page makes another worker. Empty here and while developing: bundling the worker for a built page puts the
 * name in this module's place.
 */
export const PAGE_FILE: string = ''
