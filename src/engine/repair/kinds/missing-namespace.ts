import { MEDIA_TYPE } from '../../core/names'
import { goQuote } from '../../schema/go-text'
import type { RepairKind } from '../repair'

export const createNamespace: RepairKind = {
  name: 'CreateNamespace',
  candidates({ status, target: { namespace, resource } }) {
    const { kind, name } = status.details ?? {}
    const isMissing = status.reason === 'NotFound' && kind === 'namespaces' && name === namespace
    if (!isMissing || resource === 'namespaces') return []
    return [
      {
        title: `Create namespace ${goQuote(namespace)}`,
        writes: [
          {
            method: 'POST',
            path: '/api/v1/namespaces',
            contentType: MEDIA_TYPE.json,
            body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
          },
        ],
      },
    ]
  },
}
