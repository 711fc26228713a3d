export const HEALTH = {
  ready: (ready: number, wanted: number) => `${ready}/${wanted} ready`,
  restarts: (count: number) => (count === 1 ? '1 restart' : `${count} restarts`),
  replicas: (count: number) => (count === 1 ? '1 replica' : `${count} replicas`),
  active: (count: number) => `${count} active`,
  suspended: 'Suspended',
  paused: 'Rollout paused.',
  notObserved: 'The controller has not seen the latest spec yet.',
  // As `kubectl rollout status` prints them.
  updated: (updated: number, wanted: number) =>
    `${updated} of ${wanted} new replicas have been updated.`,
  old: (count: number) => `${count} old replicas are pending termination.`,
  available: (available: number, wanted: number) =>
    `${available} of ${wanted} updated replicas are available.`,
  failedPods: (count: number) => (count === 1 ? '1 Pod failed.' : `${count} Pods failed.`),
  disruptions: (count: number) => `${count} allowed`,
  healthy: (healthy: number, wanted: number) => `${healthy} healthy, ${wanted} desired.`,
  exited: (reason: string, code: number) =>
    `Last state: ${reason === '' ? '' : `${reason}, `}exit code ${code}.`,
  noExternalIp: 'No load balancer has assigned an external IP.',
  noEndpoints: 'no endpoints',
  noPods: 'No Pod matches the selector of the Service.',
  notAccepted: 'Not accepted',
  notEstablished: 'Not established',
  unavailable: 'Not available',
  unknown: 'Unknown',
  reconciling: 'Reconciling',
  finalizers: (finalizers: string) => `Waits for finalizers: ${finalizers}.`,
  deleted: 'deleted',
} as const
