/** Strategies of the kinds of group `apiregistration.k8s.io`. */
import type { Strategy } from '../../registry/strategy'
import { apiServiceStrategy } from './api-service'

export const apiregistrationStrategies: Record<string, Strategy> = {
  'apiregistration.k8s.io/APIService': apiServiceStrategy,
}
