import type {
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from 'kubernetes-types/networking/v1'
import { selectorCell } from '../../engine/encoding/tables/workloads'
import { describes } from './description'
import { annotations, labels } from './metadata'
import type { Report } from './report'
import { NONE } from './words'

interface Direction {
  word: 'ingress' | 'egress'
  type: 'Ingress' | 'Egress'
  peers: 'From' | 'To'
  /** The role of peers: source or destination of traffic. */
  end: 'source' | 'destination'
}
const INGRESS: Direction = { word: 'ingress', type: 'Ingress', peers: 'From', end: 'source' }
const EGRESS: Direction = { word: 'egress', type: 'Egress', peers: 'To', end: 'destination' }

interface Rule {
  ports: NetworkPolicyPort[] | undefined
  peers: NetworkPolicyPeer[] | undefined
}

export const networkPolicy = describes<NetworkPolicy>({
  events: false,
  write: (report, { metadata, spec }) => {
    const created = (metadata?.creationTimestamp ?? '').replace('T', ' ').replace('Z', ' +0000 UTC')
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Namespace', metadata?.namespace)
    report.field(0, 'Created on', created)
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.line(0, 'Spec:')
    const selector = selectorCell(spec?.podSelector)
    report.line(
      1,
      `PodSelector:     ${selector === NONE ? `${NONE} (Allowing the specific traffic to all pods in this namespace)` : selector}`,
    )
    const types = spec?.policyTypes ?? []
    direction(
      report,
      INGRESS,
      types,
      (spec?.ingress ?? []).map(({ ports, from }) => ({ ports, peers: from })),
    )
    direction(
      report,
      EGRESS,
      types,
      (spec?.egress ?? []).map(({ ports, to }) => ({ ports, peers: to })),
    )
    report.line(1, `Policy Types: ${types.join(', ')}`)
  },
})

function direction(report: Report, way: Direction, types: string[], rules: Rule[]): void {
  if (!types.includes(way.type)) {
    report.line(1, `Not affecting ${way.word} traffic`)
    return
  }
  report.line(1, `Allowing ${way.word} traffic:`)
  if (rules.length === 0) {
    report.line(2, `${NONE} (Selected pods are isolated for ${way.word} connectivity)`)
    return
  }
  rules.forEach((rule, index) => {
    if (index > 0) report.line(2, '----------')
    portLines(report, rule.ports)
    if (!rule.peers?.length)
      report.line(2, `${way.peers}: <any> (traffic not restricted by ${way.end})`)
    for (const peer of rule.peers ?? []) peerLines(report, way, peer)
  })
}

function portLines(report: Report, ports: NetworkPolicyPort[] | undefined): void {
  if (!ports?.length) {
    report.line(2, 'To Port: <any> (traffic allowed to all ports)')
    return
  }
  for (const { port, endPort, protocol = 'TCP' } of ports) {
    report.line(
      2,
      endPort === undefined
        ? `To Port: ${port ?? '<nil>'}/${protocol}`
        : `To Port Range: ${port}-${endPort}/${protocol}`,
    )
  }
}

function peerLines(
  report: Report,
  way: Direction,
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
): void {
  report.line(2, `${way.peers}:`)
  if (namespaceSelector) report.line(3, `NamespaceSelector: ${selectorCell(namespaceSelector)}`)
  if (podSelector) report.line(3, `PodSelector: ${selectorCell(podSelector)}`)
  if (ipBlock) {
    report.line(3, 'IPBlock:')
    report.line(4, `CIDR: ${ipBlock.cidr}`)
    report.line(4, `Except: ${(ipBlock.except ?? []).join(', ')}`)
  }
}
