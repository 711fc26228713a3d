import type {
  Container,
  ContainerState,
  ContainerStatus,
  EnvVar,
  Pod,
  Probe,
} from 'kubernetes-types/core/v1'
import { goQuote } from '../../engine/schema/go-text'
import { fieldValue, resourceValue } from './downward-values'
import type { Report } from './report'
import { byName, longTime, NONE, orNone, sortedEntries, titleBoolean } from './words'

interface Setting {
  /** The extra indentation of templates. */
  inset: string
  pod?: Pod
  statuses?: ContainerStatus[] | undefined
}

export function containers(
  report: Report,
  title: string,
  list: Container[] | undefined,
  { inset, pod, statuses }: Setting,
): void {
  report.line(0, `${inset === '' ? '' : '  '}${title}:${list?.length ? '' : ` ${NONE}`}`)
  for (const container of list ?? []) {
    const status = statuses?.find(({ name }) => name === container.name)
    report.line(1, `${inset === '' ? '' : ' '}${container.name}:`)
    basics(report, container, status)
    textLines(report, 'Command', container.command)
    textLines(report, 'Args', container.args)
    if (status) states(report, status)
    amounts(report, 'Limits', container.resources?.limits)
    amounts(report, 'Requests', container.resources?.requests)
    probe(report, 'Liveness', container.livenessProbe)
    probe(report, 'Readiness', container.readinessProbe)
    probe(report, 'Startup', container.startupProbe)
    environmentSources(report, container)
    environment(report, container, pod)
    mounts(report, container)
  }
}

function basics(report: Report, container: Container, status: ContainerStatus | undefined): void {
  if (status) report.field(2, 'Container ID', status.containerID)
  report.field(2, 'Image', container.image)
  if (status) report.field(2, 'Image ID', status.imageID)
  const ports = container.ports ?? []
  const many = ports.length > 1 ? 's' : ''
  report.field(
    2,
    `Port${many}`,
    orNone(ports.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`).join(', ')),
  )
  report.field(
    2,
    `Host Port${many}`,
    orNone(ports.map(({ hostPort, protocol }) => `${hostPort ?? 0}/${protocol}`).join(', ')),
  )
  const profile = container.securityContext?.seccompProfile
  if (profile) {
    report.field(2, 'SeccompProfile', profile.type)
    if (profile.type === 'Localhost') report.field(3, 'LocalhostProfile', profile.localhostProfile)
  }
}

/** Each argument has its own line. */
function textLines(report: Report, title: string, texts: string[] | undefined): void {
  if (!texts?.length) return
  report.line(2, `${title}:`)
  for (const line of texts.flatMap((text) => text.split('\n'))) report.line(3, line)
}

function states(report: Report, status: ContainerStatus): void {
  state(report, 'State', status.state)
  if (status.lastState?.terminated) state(report, 'Last State', status.lastState)
  report.field(2, 'Ready', titleBoolean(status.ready))
  report.field(2, 'Restart Count', status.restartCount)
}

function state(
  report: Report,
  title: string,
  { running, terminated, waiting }: ContainerState = {},
): void {
  report.field(2, title, running ? 'Running' : terminated ? 'Terminated' : 'Waiting')
  if (running) report.field(3, 'Started', longTime(running.startedAt))
  else if (terminated) {
    report.optional(3, 'Reason', terminated.reason)
    report.optional(3, 'Message', terminated.message)
    report.field(3, 'Exit Code', terminated.exitCode)
    if (terminated.signal) report.field(3, 'Signal', terminated.signal)
    report.field(3, 'Started', longTime(terminated.startedAt))
    report.field(3, 'Finished', longTime(terminated.finishedAt))
  } else report.optional(3, 'Reason', waiting?.reason)
}

function amounts(report: Report, title: string, list: Record<string, string> | undefined): void {
  const entries = sortedEntries(list)
  if (entries.length > 0) report.line(2, `${title}:`)
  for (const [resource, quantity] of entries) report.field(3, resource, quantity)
}

function probe(report: Report, title: string, checked: Probe | undefined): void {
  if (checked) report.field(2, title, probeText(checked))
}

function probeText(checked: Probe): string {
  const {
    initialDelaySeconds = 0,
    timeoutSeconds = 0,
    periodSeconds = 0,
    successThreshold = 0,
    failureThreshold = 0,
  } = checked
  const timing = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s #success=${successThreshold} #failure=${failureThreshold}`
  return `${probed(checked)} ${timing}`
}

function probed({ exec, httpGet, tcpSocket, grpc }: Probe): string {
  if (exec) return `exec [${(exec.command ?? []).join(' ')}]`
  if (httpGet) {
    const { scheme = '', host = '', port, path = '' } = httpGet
    const rooted = path.startsWith('/') || path === '' ? path : `/${path}`
    return `http-get ${scheme.toLowerCase()}://${bracketed(host)}:${port}${encodeURI(rooted).replaceAll('?', '%3F').replaceAll('#', '%23')}`
  }
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port}`
  if (grpc) return `grpc <pod>:${grpc.port} ${grpc.service ?? ''}`
  return 'unknown'
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

function environmentSources(report: Report, { envFrom }: Container): void {
  if (!envFrom?.length) return
  report.line(2, 'Environment Variables from:')
  for (const { configMapRef, secretRef, prefix } of envFrom) {
    const from = configMapRef ?? secretRef
    const kind = configMapRef ? 'ConfigMap' : 'Secret'
    report.line(
      3,
      from?.name,
      prefix ? `${kind} with prefix '${prefix}'` : kind,
      `Optional: ${from?.optional ?? false}`,
    )
  }
}

function environment(report: Report, container: Container, pod: Pod | undefined): void {
  const variables = container.env ?? []
  if (variables.length === 0) {
    report.field(2, 'Environment', NONE)
    return
  }
  report.line(2, 'Environment:')
  for (const variable of variables) environmentVariable(report, variable, container, pod)
}

function environmentVariable(
  report: Report,
  { name, value = '', valueFrom }: EnvVar,
  container: Container,
  pod: Pod | undefined,
): void {
  if (valueFrom?.fieldRef) {
    const { fieldPath, apiVersion } = valueFrom.fieldRef
    report.field(3, name, `${pod ? fieldValue(pod, fieldPath) : ''} (${apiVersion}:${fieldPath})`)
  } else if (valueFrom?.resourceFieldRef) {
    report.field(
      3,
      name,
      `${resourceValue(container, valueFrom.resourceFieldRef)} (${valueFrom.resourceFieldRef.resource})`,
    )
  } else if (valueFrom?.secretKeyRef) {
    const { key, name: secret, optional = false } = valueFrom.secretKeyRef
    report.line(
      3,
      `${name}:`,
      `<set to the key '${key}' in secret '${secret}'>`,
      `Optional: ${optional}`,
    )
  } else if (valueFrom?.configMapKeyRef) {
    const { key, name: map, optional = false } = valueFrom.configMapKeyRef
    report.line(
      3,
      `${name}:`,
      `<set to the key '${key}' of config map '${map}'>`,
      `Optional: ${optional}`,
    )
  } else if (!valueFrom) {
    const [first, ...others] = value.split('\n')
    report.field(3, name, first)
    for (const line of others) report.line(3, '', line)
  }
}

function mounts(report: Report, { volumeMounts, volumeDevices }: Container): void {
  if (volumeMounts?.length) report.line(2, 'Mounts:')
  else report.field(2, 'Mounts', NONE)
  for (const { mountPath, name, readOnly, subPath } of [...(volumeMounts ?? [])].sort((a, b) =>
    byName(a.mountPath, b.mountPath),
  )) {
    report.line(
      3,
      `${mountPath} from ${name} (${readOnly ? 'ro' : 'rw'}${subPath ? `,path=${goQuote(subPath)}` : ''})`,
    )
  }
  if (!volumeDevices?.length) return
  report.line(2, 'Devices:')
  for (const { devicePath, name } of [...volumeDevices].sort((a, b) =>
    byName(a.devicePath, b.devicePath),
  )) {
    report.line(3, `${devicePath} from ${name}`)
  }
}
