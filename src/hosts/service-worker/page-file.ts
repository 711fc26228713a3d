/**
 * Name of the file next to the worker's script that lists the page's files and their build. The
 * name contains the build, so a new page makes a new worker. Empty during development; the bundler
 * replaces it for a built page.
 */
export const PAGE_FILE: string = ''
