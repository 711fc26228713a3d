import type {
  PodTemplateSpec,
  Toleration,
  TopologySpreadConstraint,
  Volume,
} from 'kubernetes-types/core/v1'
import type { JsonObject } from '../../engine/core/object'
import { selectorOf, selectorText } from '../../engine/selectors/labels'
import { claimFields } from './claim-fields'
import { containers } from './containers'
import { annotations, labels, stacked } from './metadata'
import type { Report } from './report'
import { volumeSource } from './volume-sources'
import { byName, NONE } from './words'

export function volumes(report: Report, list: Volume[] | undefined, inset: string): void {
  if (!list?.length) {
    report.field(0, `${inset}Volumes`, NONE)
    return
  }
  report.line(0, `${inset}Volumes:`)
  for (const volume of list) {
    report.line(1, `${inset === '' ? '' : ' '}${volume.name}:`)
    if (volume.ephemeral) {
      report.field(
        2,
        'Type',
        'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
      )
      const { metadata, spec } = volume.ephemeral.volumeClaimTemplate ?? {}
      claimFields(report, { metadata: metadata ?? {}, spec: spec ?? {} }, false)
    } else if (!volumeSource(report, volume as unknown as JsonObject)) report.line(1, '<unknown>')
  }
}

export function tolerations(report: Report, list: Toleration[] | undefined, inset: string): void {
  const sorted = [...(list ?? [])].sort((a, b) => byName(a.key ?? '', b.key ?? ''))
  stacked(report, 0, `${inset}Tolerations`, sorted.map(tolerationText))
}

function tolerationText({
  key = '',
  value,
  effect,
  operator,
  tolerationSeconds,
}: Toleration): string {
  const matched = `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`
  const exists = operator === 'Exists' && !value ? (key || effect ? ' op=Exists' : 'op=Exists') : ''
  return `${matched}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`
}

export function spreading(
  report: Report,
  list: TopologySpreadConstraint[] | undefined,
  inset: string,
): void {
  if (!list?.length) return
  const sorted = [...list].sort((a, b) => byName(a.topologyKey, b.topologyKey))
  stacked(
    report,
    0,
    `${inset}Topology Spread Constraints`,
    sorted.map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
      const selector = selectorText(selectorOf(labelSelector) ?? [])
      return `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${selector ? ` for selector ${selector}` : ''}`
    }),
  )
}

export function podTemplate(report: Report, template: PodTemplateSpec | undefined): void {
  report.line(0, 'Pod Template:')
  if (!template) {
    report.line(1, '<unset>')
    return
  }
  const { metadata, spec } = template
  labels(report, 1, metadata?.labels)
  if (Object.keys(metadata?.annotations ?? {}).length > 0)
    annotations(report, 1, metadata?.annotations)
  report.optional(1, 'Service Account', spec?.serviceAccountName)
  if (spec?.initContainers?.length)
    containers(report, 'Init Containers', spec.initContainers, { inset: '  ' })
  containers(report, 'Containers', spec?.containers, { inset: '  ' })
  volumes(report, spec?.volumes, '  ')
  spreading(report, spec?.topologySpreadConstraints, '  ')
  report.optional(1, 'Priority Class Name', spec?.priorityClassName)
  labels(report, 0, spec?.nodeSelector, '  Node-Selectors')
  tolerations(report, spec?.tolerations, '  ')
}
