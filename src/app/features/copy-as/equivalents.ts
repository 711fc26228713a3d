/** Credentials are placeholders. */
import { entryOf } from '../../../engine/core/object'
import type { LoggedRequest } from '../../state/logged-request'
import { type RequestTarget, targetOf } from '../../state/request-target'

export type KubectlRequest = Pick<LoggedRequest, 'method' | 'path' | 'headers' | 'body'>

/** For a POSIX shell. */
const quote = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const isCredential = (name: string): boolean => name.toLowerCase() === 'authorization'

function headerOf({ headers }: KubectlRequest, wanted: string): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}

/** The reader sets `$SERVER` and `$TOKEN`. */
export function asCurl({ method, path, headers, body }: KubectlRequest): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} "$SERVER"${quote(path)}`]
  for (const [name, value] of Object.entries(headers))
    lines.push(
      isCredential(name) ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quote(`${name}: ${value}`)}`,
    )
  if (body) lines.push(`--data-binary ${quote(body)}`)
  return lines.join(' \\\n  ')
}

export function asFetch({ method, path, headers, body }: KubectlRequest): string {
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isCredential(name) ? 'Bearer TOKEN' : value,
    ]),
  )
  const options = {
    ...(method === 'GET' ? {} : { method }),
    headers: shown,
    ...(body ? { body } : {}),
  }
  return `const response = await fetch(${JSON.stringify(path)}, ${JSON.stringify(options, null, 2)})\nconsole.log(await response.text())`
}

const PATCH_TYPE: Record<string, string> = {
  'application/merge-patch+json': 'merge',
  'application/json-patch+json': 'json',
  'application/strategic-merge-patch+json': 'strategic',
}

/** Falls back to `--raw`. */
export function asKubectl(request: KubectlRequest): string {
  const { method, path, body } = request
  const target = targetOf(path)
  const input = body ? ` -f - <<'EOF'\n${body}\nEOF` : ''
  if (target === undefined)
    return method === 'GET'
      ? `kubectl get --raw ${quote(path)}`
      : `# kubectl has no command for ${method} ${path}`
  const { namespace, resource, name, subresource } = target
  const query = new URLSearchParams(path.split('?')[1] ?? '')
  const what = name === undefined ? resource : `${resource} ${name}`
  const own = ownCommand(request, target, query)
  if (own !== undefined) return own
  const flags = [
    namespace ? ` -n ${namespace}` : '',
    query.has('dryRun') ? ' --dry-run=server' : '',
    subresource ? ` --subresource=${subresource}` : '',
  ]
  const manager = query.get('fieldManager')
  const managed = manager ? ` --field-manager=${quote(manager)}` : ''
  switch (method) {
    case 'GET':
      return `kubectl get ${what}${flags.join('')}${selection(query)}${name || namespace ? '' : ' -A'}${query.has('watch') ? ' --watch' : ' -o yaml'}`
    case 'POST':
      return subresource
        ? `kubectl create --raw ${quote(path)}${input}`
        : `kubectl create${flags.join('')}${managed}${input}`
    case 'PUT':
      return `kubectl replace${flags.join('')}${managed}${input}`
    case 'DELETE':
      return `kubectl delete ${what}${name ? '' : ' --all'}${flags.join('')}${selection(query)}`
    case 'PATCH': {
      const type = headerOf(request, 'content-type')
      if (!type.startsWith('application/apply-patch'))
        return `kubectl patch ${what}${flags.join('')}${managed} --type=${entryOf(PATCH_TYPE, type) ?? 'merge'} -p ${quote(body ?? '')}`
      return `kubectl apply --server-side${flags.join('')}${query.get('force') === 'true' ? ' --force-conflicts' : ''}${managed}${input}`
    }
    default:
      return `# kubectl has no command for ${method} ${path}`
  }
}

function ownCommand(
  { method, body }: KubectlRequest,
  { namespace, resource, name, subresource }: RequestTarget,
  query: URLSearchParams,
): string | undefined {
  const where = namespace ? ` -n ${namespace}` : ''
  const what = `${method} ${resource}${subresource ? `/${subresource}` : ''}`
  if (what === 'GET pods/log')
    return `kubectl logs ${name}${where}${LOG_FLAGS.map((flag) => flag(query)).join('')}`
  if (what === 'POST serviceaccounts/token') {
    const seconds = /"expirationSeconds":\s*(\d+)/.exec(body ?? '')?.[1]
    return `kubectl create token ${name}${where}${seconds ? ` --duration=${seconds}s` : ''}`
  }
  if (what === 'POST selfsubjectreviews') return 'kubectl auth whoami'
  if (what === 'PUT certificatesigningrequests/approval')
    return `kubectl certificate ${/"Denied"/.test(body ?? '') ? 'deny' : 'approve'} ${name}`
  return undefined
}

const valued =
  (parameter: string, flag: string, unit = '') =>
  (query: URLSearchParams) => {
    const value = query.get(parameter)
    return value ? ` ${flag}=${quote(value)}${unit}` : ''
  }
const switched = (parameter: string, flag: string) => (query: URLSearchParams) =>
  query.get(parameter) === 'true' ? ` ${flag}` : ''

const LOG_FLAGS = [
  valued('container', '--container'),
  switched('follow', '--follow'),
  switched('previous', '--previous'),
  switched('timestamps', '--timestamps'),
  valued('tailLines', '--tail'),
  valued('sinceSeconds', '--since', 's'),
  valued('sinceTime', '--since-time'),
  valued('limitBytes', '--limit-bytes'),
]

function selection(query: URLSearchParams): string {
  const labels = query.get('labelSelector')
  const fields = query.get('fieldSelector')
  return (
    (labels ? ` -l ${quote(labels)}` : '') + (fields ? ` --field-selector=${quote(fields)}` : '')
  )
}
