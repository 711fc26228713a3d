import fc from 'fast-check'
import { NAMESPACE } from '../corpus'
import { play } from '../fuzz'
import type { FuzzTarget } from './target'
import { pieces } from './texts'

const CHARACTERS = [
  'application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', '*/*', 'application/*', 'text/html', ';', ',', '=', ' ', '"', ';as=Table', ';g=meta.k8s.io',
  ';v=v1', ';v=v1beta1', ';as=PartialObjectMetadata', ';as=PartialObjectMetadataList', ';as=APIGroupDiscoveryList', ';g=apidiscovery.k8s.io;v=v2', ';q=0.5', ';q=x', ';q=-1',
  ';stream=watch', ';pretty=1', ';charset=utf-8', ';as=__proto__', 'gzip', ';',
] // biome-ignore format: one table
const header = pieces(CHARACTERS, 10).map((text) =>
  text.replace(/[^\x20-\x7e]/g, '').slice(0, 20_000),
)
const target = fc.constantFrom(
  '/api', '/apis', '/api/v1', '/version', '/openapi/v2', '/openapi/v3', '/metrics', '/healthz', '/api/v1/namespaces', `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  `/api/v1/namespaces/${NAMESPACE}/configmaps/a?includeObject=Object`, `/api/v1/namespaces/${NAMESPACE}/configmaps?watch=1&timeoutSeconds=1`, '/nothing',
) // biome-ignore format: one table
const name = fc.constantFrom(
  'accept',
  'accept-encoding',
  'content-type',
  'authorization',
  'impersonate-user',
  'impersonate-group',
  'impersonate-extra-a',
  'if-none-match',
  'user-agent',
)

export const negotiation: FuzzTarget = {
  name: 'headers',
  what: 'Accept and other headers, sent to a server',
  short: 40,
  property: fc.asyncProperty(
    fc.array(fc.record({ target, headers: fc.array(fc.tuple(name, header), { maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 10,
      size: 'max',
    }),
    (requests) =>
      play(
        requests.map(({ target: path, headers }) => ({
          method: 'GET',
          target: path,
          headers: Object.fromEntries(headers),
          body: undefined,
        })),
      ),
  ),
}
