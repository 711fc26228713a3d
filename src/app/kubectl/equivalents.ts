/** The same request in other words: curl, fetch, kubectl. */
import type { LoggedRequest } from '../state/requests'

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The command line; `$SERVER` and `$TOKEN` are the reader's. */
export function asCurl({ method, path, headers, body }: LoggedRequest): string {
  const lines = [`curl -X ${method} "$SERVER"${quote(path)}`]
  for (const [name, value] of Object.entries(headers))
    lines.push(name === 'Authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quote(`${name}: ${value}`)}`)
  if (body) lines.push(`--data-binary ${quote(body)}`)
  return lines.join(' \\\n  ')
}

export function asFetch({ method, path, headers, body }: LoggedRequest): string {
  const { Authorization, ...rest } = headers
  const shown = { ...rest, ...(Authorization ? { Authorization: 'Bearer TOKEN' } : {}) }
  const options = { method, headers: shown, ...(body ? { body } : {}) }
  return `await fetch(${JSON.stringify(path)}, ${JSON.stringify(options, null, 2)}).then((response) => response.json())`
}

interface Target {
  namespace: string | undefined
  resource: string
  name: string | undefined
  subresource: string | undefined
}

/** `/apis/apps/v1/namespaces/default/deployments/web/scale` in parts; undefined for paths that are no resources. */
export function targetOf(path: string): Target | undefined {
  const parts = (path.split('?')[0] as string).split('/').filter((part) => part !== '')
  const rest = parts[0] === 'api' ? parts.slice(2) : parts[0] === 'apis' ? parts.slice(3) : []
  if (rest.length === 0) return undefined
  const [first, namespace, resource, name, subresource] = rest
  if (first === 'namespaces' && resource !== undefined && !['status', 'finalize'].includes(resource))
    return { namespace, resource, name, subresource }
  return { namespace: undefined, resource: first as string, name: namespace, subresource: resource }
}

const TYPE_FLAG: Record<string, string> = {
  'application/merge-patch+json': 'merge',
  'application/json-patch+json': 'json',
  'application/strategic-merge-patch+json': 'strategic',
}

/** The nearest kubectl command, or `kubectl get --raw` and the like where there is none. */
export function asKubectl(request: LoggedRequest): string {
  const { method, path, body, headers } = request
  const target = targetOf(path)
  const query = new URLSearchParams(path.split('?')[1] ?? '')
  if (target === undefined) return `kubectl get --raw ${quote(path)}`
  const where = target.namespace ? ` -n ${target.namespace}` : ''
  const what = target.name ? `${target.resource} ${target.name}` : target.resource
  const dry = query.has('dryRun') ? ' --dry-run=server' : ''
  const input = body ? ` -f - <<'EOF'\n${body}\nEOF` : ''
  const subresource = target.subresource ? ` --subresource=${target.subresource}` : ''
  switch (method) {
    case 'GET': {
      const selectors =
        (query.get('labelSelector') ? ` -l ${quote(query.get('labelSelector') ?? '')}` : '') +
        (query.get('fieldSelector') ? ` --field-selector ${quote(query.get('fieldSelector') ?? '')}` : '')
      return `kubectl get ${what}${where || (target.name ? '' : ' -A')}${selectors}${subresource}${query.has('watch') ? ' --watch' : ''} -o yaml`
    }
    case 'POST':
      return `kubectl create${where}${dry}${input}`
    case 'PUT':
      return `kubectl replace${where}${dry}${subresource}${input}`
    case 'DELETE':
      return target.name ? `kubectl delete ${what}${where}${dry}` : `kubectl delete ${target.resource} --all${where}${dry}`
    case 'PATCH': {
      const type = headers['Content-Type'] ?? ''
      if (type.startsWith('application/apply-patch'))
        return `kubectl apply --server-side${where}${dry}${query.get('force') ? ' --force-conflicts' : ''} --field-manager=${query.get('fieldManager') ?? 'kubectl'}${input}`
      return `kubectl patch ${what}${where}${dry}${subresource} --type=${TYPE_FLAG[type] ?? 'merge'} -p ${quote(body ?? '')}`
    }
    default:
      return `# kubectl has no command for ${method} ${path}`
  }
}
