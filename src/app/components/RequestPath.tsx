/** A request path on one line. Truncates the query first, then the prefix, last the resource. */

/** The prefix: group, version and namespace. */
const FROM = /^(?:\/api|\/apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+(?=\/))?(?=\/)/

/**
 * `/apis/apps/v1/namespaces/default`, `/deployments/web` and `?dryRun=All`; missing parts are
 * empty.
 */
export function partsOf(path: string): [from: string, what: string, query: string] {
  const end = path.indexOf('?')
  const place = end < 0 ? path : path.slice(0, end)
  const [from = ''] = FROM.exec(place) ?? []
  return [from, place.slice(from.length), path.slice(place.length)]
}

export function RequestPath({ path }: { path: string }) {
  const [from, what, query] = partsOf(path)
  return (
    <span className="request-path" title={path}>
      <span>{from}</span>
      <span>{what}</span>
      {query && <span className="query">{query}</span>}
    </span>
  )
}
