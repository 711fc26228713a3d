/** A lesson may use only its workspace's API. */

const API = /^\/(?:apis?|openapi|openid|healthz|livez|readyz|version|metrics|logs)(?:[/?]|$)/

/** undefined for a path of the API. */
export function pathProblem(path: string): string | undefined {
  if (!API.test(path)) return 'a path of the API is needed, as /api/v1/namespaces'
  const [bare = ''] = path.split('?')
  // Browsers resolve `..`, also percent-encoded, which would lead to another workspace.
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\|%5c|%2f|[\0-\x20]/i.test(bare))
    return 'it must not lead elsewhere by dots, backslashes or blanks'
  return undefined
}
