/** Strategies of the kinds of group `apiextensions.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { customResourceDefinitionStrategy } from './custom-resource-definition'

export const apiextensionsStrategies: Record<string, Strategy> = {
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitionStrategy,
}
