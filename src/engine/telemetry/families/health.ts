/** The only families in `/metrics/slis`. */
import { counter, gauge } from './family'

export const HEALTH_FAMILIES = {
  kubernetes_healthcheck: gauge(
    'STABLE',
    'This metric records the result of a single healthcheck.',
    ['name', 'type'],
  ),
  kubernetes_healthchecks_total: counter(
    'STABLE',
    'This metric records the results of all healthcheck.',
    ['name', 'status', 'type'],
  ),
} as const
