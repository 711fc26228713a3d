/** Runs the program of a container, as the log shows it. */
// cspell:ignore Vjcm
import type { Seen, SeenContainer, SeenPod } from '../../src/engine/simulation/pod'
import { courseOf, processOf } from '../../src/engine/simulation/simulated-process'

const SEEN: Seen = {
  configMap: (name) => (name === 'app' ? { data: { color: 'red' } } : undefined),
  secret: () => ({ data: { password: 'c2VjcmV0' } }),
  services: [],
  podIP: '10.244.1.7',
  hostIP: '192.168.0.1',
  allocatable: {},
}

/** @returns the output of the container, and its exit code if it ends with a failure */
export function outputInPod(
  container: Partial<SeenContainer>,
  spec: Partial<NonNullable<SeenPod['spec']>> = {},
): string {
  const own = { name: 'c', image: 'registry.k8s.io/e2e-test-images/agnhost:2.53', ...container }
  const pod: SeenPod = {
    metadata: { name: 'web', namespace: 'shop', uid: 'u' },
    spec: { ...spec, containers: [own] },
    status: { startTime: '2026-01-01T00:00:05Z' },
  }
  const course = courseOf(processOf(pod, own, SEEN), 0)
  if (course === undefined) throw new Error('the program is not simulated')
  const text = course.lines.map((line) => line.text).join('')
  return course.code === 0 ? text : `${text}(${course.code})`
}
