import type { Kind } from '../../registry/kind'
import { WITHOUT_METADATA } from '../../registry/update-order'
import { customResourceDefinitionStrategy } from './custom-resource-definition'

export const apiextensionsKinds: readonly Kind[] = [
  {
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    strategy: customResourceDefinitionStrategy,
    updateChecks: WITHOUT_METADATA,
  },
]
