/** Paths in the file system of a container. */
import { OutsideSubset } from './words'

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** @param path absolute @returns the path without `.`, `..` and double slashes */
export function clean(path: string): string {
  if (path.length > 4096) throw new OutsideSubset('path')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
