export interface RequestTarget {
  namespace: string | undefined
  resource: string
  name: string | undefined
  subresource: string | undefined
}

/**
 * Parses `/apis/apps/v1/namespaces/default/deployments/web/scale`; undefined for non-resource
 * paths.
 */
export function targetOf(path: string): RequestTarget | undefined {
  const parts = (path.split('?')[0] as string).split('/').filter((part) => part !== '')
  const rest = parts[0] === 'api' ? parts.slice(2) : parts[0] === 'apis' ? parts.slice(3) : []
  const [first, second, third, name, subresource] = rest
  if (first === undefined) return undefined
  if (first === 'namespaces' && third !== undefined && !['status', 'finalize'].includes(third))
    return { namespace: second, resource: third, name, subresource }
  return { namespace: undefined, resource: first, name: second, subresource: third }
}
