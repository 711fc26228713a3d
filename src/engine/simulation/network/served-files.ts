/** Servers of files: nginx, httpd, and the file server of Go (documentation of each). */
import { FileError } from '../script/entries'
import type { FileSystem } from '../script/files'
import { clean } from '../script/paths'
import { OutsideSubset } from '../script/words'
import type { HttpResponse } from './client'

type FileServer = 'nginx' | 'httpd' | 'go'

const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['txt', 'text/plain'],
  ['css', 'text/css'],
  ['js', 'application/javascript'],
  ['json', 'application/json'],
  ['svg', 'image/svg+xml'],
  ['xml', 'text/xml'],
])
const UTF8 = '; charset=utf-8'
const REASONS = { 301: 'Moved Permanently', 403: 'Forbidden', 404: 'Not Found' } as const

interface Served {
  directory: string
  server: FileServer
}

/** The programs that serve files. */
export const FILE_SERVERS: ReadonlyMap<string, Served> = new Map<string, Served>([
  ['nginx', { directory: '/usr/share/nginx/html', server: 'nginx' }],
  ['httpd', { directory: '/usr/local/apache2/htdocs', server: 'httpd' }],
  ['nautilus', { directory: '/usr/local/apache2/htdocs', server: 'httpd' }],
  ['test-webserver', { directory: '', server: 'go' }],
])

/** @returns a handler that serves the files of a container below a directory */
export const filesBelow =
  ({ directory, server }: Served) =>
  ({ pathname }: URL, { files }: { files(): FileSystem | undefined }): HttpResponse | undefined => {
    const system = files()
    if (system === undefined) return undefined
    try {
      const path = clean(`${directory}/${decodeURIComponent(pathname)}`)
      return responseFor(system, path, pathname, server)
    } catch (error) {
      if (error instanceof FileError) return failed(403, server)
      if (error instanceof OutsideSubset || error instanceof URIError) return undefined
      throw error
    }
  }

function responseFor(
  files: FileSystem,
  path: string,
  pathname: string,
  server: FileServer,
): HttpResponse | undefined {
  const kind = files.there(path)
  if (kind === undefined) return failed(404, server)
  if (kind === 'directory') {
    if (!pathname.endsWith('/')) return failed(301, server, { location: `${pathname}/` })
    const index = `${path}/index.html`
    if (files.there(index) === 'file') return found(files.read(index) ?? '', 'index.html', server)
    if (server === 'go') return listing(files, path)
    return server === 'nginx' ? failed(403, server) : undefined
  }
  return found(files.read(path) ?? '', path, server)
}

function found(body: string, name: string, server: FileServer): HttpResponse {
  const known = TYPES.get(/\.(\w+)$/.exec(name)?.[1] ?? '')
  const other = server === 'nginx' ? 'application/octet-stream' : 'text/plain'
  const type = known ?? other
  const charset = server === 'go' && type.startsWith('text/') ? UTF8 : ''
  return { status: 200, headers: { 'content-type': `${type}${charset}` }, body }
}

function listing(files: FileSystem, path: string): HttpResponse {
  const names = files
    .list(path)
    .map((name) => (files.there(`${path}/${name}`) === 'directory' ? `${name}/` : name))
  const lines = names.map((name) => `<a href="${encodeURI(name)}">${escaped(name)}</a>\n`)
  return {
    status: 200,
    headers: { 'content-type': `text/html${UTF8}` },
    body: `<pre>\n${lines.join('')}</pre>\n`,
  }
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

function failed(
  status: keyof typeof REASONS,
  server: FileServer,
  headers: Record<string, string> = {},
): HttpResponse {
  const reason = `${status} ${REASONS[status]}`
  if (server === 'go')
    return {
      status,
      headers: { 'content-type': `text/plain${UTF8}`, ...headers },
      body: status === 404 ? '404 page not found\n' : `${reason}\n`,
    }
  return {
    status,
    headers: { 'content-type': 'text/html', ...headers },
    body: `<html>\n<head><title>${reason}</title></head>\n<body>\n<h1>${reason}</h1>\n</body>\n</html>\n`,
  }
}
