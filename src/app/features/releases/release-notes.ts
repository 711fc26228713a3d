/** Names and days: kubernetes.io, "Releases"; what is new: the changelog of the release. */
import type { Release } from '../../../engine/releases/release'

export interface ReleaseNote {
  release: Release
  name: string
  /** `2024-08-13` */
  day: string
  hint: string
}

/** Newest first. */
export const RELEASE_NOTES: readonly ReleaseNote[] = [
  {
    release: '1.37',
    name: 'Garhwal',
    day: '2026-08-26',
    hint: 'Certificates for pods are stable; autoscalers scale to zero',
  },
  {
    release: '1.36',
    name: 'Haru',
    day: '2026-04-22',
    hint: 'Mutating admission policies and user namespaces are stable',
  },
  {
    release: '1.35',
    name: 'Timbernetes',
    day: '2025-12-17',
    hint: 'Resizing pods in place is stable; workloads for gang scheduling',
  },
  {
    release: '1.34',
    name: 'Of Wind & Will',
    day: '2025-08-27',
    hint: 'Dynamic resource allocation is stable: resource.k8s.io/v1',
  },
  {
    release: '1.33',
    name: 'Octarine',
    day: '2025-04-23',
    hint: 'Sidecar containers are stable; Endpoints is deprecated',
  },
  {
    release: '1.32',
    name: 'Penelope',
    day: '2024-12-11',
    hint: 'Selectable fields of custom resources are stable',
  },
  {
    release: '1.31',
    name: 'Elli',
    day: '2024-08-13',
    hint: 'AppArmor profiles in the security context are stable',
  },
]

export const changelogOf = (release: Release): string =>
  `https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-${release}.md`
