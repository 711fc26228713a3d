import type { ContainerPort, PlacedContainer } from './pod-types'

interface PlacedPort {
  hostIP: string
  hostPort: number
  path: string
  order: number
}

/** A response holds at most 4,096 characters of warnings. */
const MAX_PORT_WARNINGS = 4096

export function portWarnings(containers: PlacedContainer[]): string[] {
  const warnings: string[] = []
  const seen = new Map<string, EarlierPorts>()
  let order = 0
  for (const { container, path } of containers) {
    for (const [i, port] of (container.ports ?? []).entries()) {
      const here: PlacedPort = {
        hostIP: port.hostIP ?? '',
        hostPort: port.hostPort ?? 0,
        path: `${path}.ports[${i}]`,
        order: order++,
      }
      if (port.hostIP && !port.hostPort)
        warnings.push(`${here.path}: hostIP set without hostPort: ${shownPort(port)}`)
      const key = `${port.containerPort}/${port.protocol}`
      const earlier = seen.get(key) ?? new EarlierPorts()
      seen.set(key, earlier)
      for (const other of earlier.relatedTo(here)) {
        if (warnings.length >= MAX_PORT_WARNINGS) return warnings
        warnings.push(
          `${here.path}: ${portRelation(here, other)} port definition with ${other.path}`,
        )
      }
      earlier.add(here)
    }
  }
  return warnings
}

/** Of one number and protocol. */
class EarlierPorts {
  private readonly all: PlacedPort[] = []
  private readonly withoutHostPort: PlacedPort[] = []
  private readonly byHostPort = new Map<number, Map<string, PlacedPort[]>>()

  /** Duplicate, overlapping and ambiguous, in order. */
  relatedTo({ hostIP, hostPort }: PlacedPort): readonly PlacedPort[] {
    if (hostPort === 0) return this.all
    const byAddress = this.byHostPort.get(hostPort) ?? new Map<string, PlacedPort[]>()
    const alike =
      hostIP === ''
        ? [...byAddress.values()].flat()
        : [...(byAddress.get(hostIP) ?? []), ...(byAddress.get('') ?? [])]
    return [...this.withoutHostPort, ...alike].sort((a, b) => a.order - b.order)
  }

  add(port: PlacedPort): void {
    this.all.push(port)
    if (port.hostPort === 0) this.withoutHostPort.push(port)
    else {
      const byAddress = this.byHostPort.get(port.hostPort) ?? new Map<string, PlacedPort[]>()
      this.byHostPort.set(port.hostPort, byAddress)
      const alike = byAddress.get(port.hostIP)
      if (alike) alike.push(port)
      else byAddress.set(port.hostIP, [port])
    }
  }
}

function shownPort({
  name = '',
  hostPort = 0,
  containerPort = 0,
  protocol = '',
  hostIP = '',
}: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}

function portRelation(a: PlacedPort, b: PlacedPort): string {
  if (a.hostIP === b.hostIP && a.hostPort === b.hostPort) return 'duplicate'
  return a.hostPort === 0 || b.hostPort === 0 ? 'overlapping' : 'dangerously ambiguous'
}
