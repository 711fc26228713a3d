/** Paths that a lesson can use: only those of the API of its own workspace. */

const API = /^\/(?:apis?|openapi|openid|healthz|livez|readyz|version|metrics|logs)(?:[/?]|$)/

/** @returns what is wrong with a path of a move or a check; undefined for one of the API */
export function pathProblem(path: string): string | undefined {
  if (!API.test(path)) return 'a path of the API is needed, as /api/v1/namespaces'
  const [bare = ''] = path.split('?')
  // A browser takes `..` out of an address, written plainly or not, and would so come to another workspace.
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\|%5c|%2f|[\0-\x20]/i.test(bare))
    return 'it must not lead elsewhere by dots, backslashes or blanks'
  return undefined
}
