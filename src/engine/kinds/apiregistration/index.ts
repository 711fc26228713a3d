import type { Kind } from '../../registry/kind'
import { apiServiceStrategy } from './api-service'

export const apiregistrationKinds: readonly Kind[] = [
  {
    group: 'apiregistration.k8s.io',
    kind: 'APIService',
    strategy: apiServiceStrategy,
  },
]
