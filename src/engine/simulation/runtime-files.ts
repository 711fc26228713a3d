/**
 * Files that the kubelet and the container runtime write into each container: `/etc/hosts`,
 * `/etc/hostname`, `/etc/resolv.conf` and the termination message.
 * https://kubernetes.io/docs/tasks/network/customize-hosts-file-for-pods/
 * https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/
 */
import { hostnameOf } from './environment'
import type { HostFiles } from './network/client'
import type { Seen, SeenContainer, SeenPod } from './pod'
import { DEFAULT_MESSAGE_PATH } from './termination-message'

const CLUSTER_DOMAIN = 'cluster.local'
/** The service of the cluster DNS, which no pod has to run in the simulation. */
const DNS_ADDRESS = '10.96.0.10'

export function runtimeFiles(
  pod: SeenPod,
  container: SeenContainer,
  { podIP }: Pick<Seen, 'podIP'>,
): Record<string, string> {
  return {
    ...kernelFiles(pod),
    '/etc/hosts': hostsOf(pod, podIP),
    '/etc/hostname': `${hostnameOf(pod)}\n`,
    '/etc/resolv.conf': resolverOf(pod),
    [container.terminationMessagePath || DEFAULT_MESSAGE_PATH]: '',
  }
}

/** Parameters of the kernel that a pod has without its own (kubernetes.io, "Using sysctls"). */
const SYSCTLS: Readonly<Record<string, string>> = {
  'kernel.shm_rmid_forced': '0',
  'net.ipv4.ip_local_port_range': '32768\t60999',
  'net.ipv4.ip_unprivileged_port_start': '0',
  'net.ipv4.ping_group_range': '0\t2147483647',
  'net.ipv4.tcp_syncookies': '1',
}

function kernelFiles({ spec }: SeenPod): Record<string, string> {
  const own = (spec?.securityContext?.sysctls ?? []).map(({ name, value }) => [
    name.replaceAll('/', '.'),
    value,
  ])
  return Object.fromEntries(
    Object.entries({ ...SYSCTLS, ...Object.fromEntries(own) }).map(([name, value]) => [
      sysctlPath(name),
      `${value}\n`,
    ]),
  )
}

/** `kernel.shm_rmid_forced` is the file `/proc/sys/kernel/shm_rmid_forced`. */
const sysctlPath = (name: string): string => `/proc/sys/${name.replaceAll('.', '/')}`

/** The files with which a program resolves names. */
export const hostFilesIn = (runtime: Readonly<Record<string, string>> | undefined): HostFiles => ({
  resolver: runtime?.['/etc/resolv.conf'] ?? '',
  hosts: runtime?.['/etc/hosts'] ?? '',
})

function hostsOf(pod: SeenPod, podIP: string): string {
  const { subdomain, hostNetwork, hostAliases = [] } = pod.spec ?? {}
  const own = hostnameOf(pod)
  const domain = `${subdomain}.${pod.metadata.namespace}.svc.${CLUSTER_DOMAIN}`
  const names = subdomain ? `${own}.${domain}\t${own}` : own
  const aliases = hostAliases.map(
    ({ ip = '', hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`,
  )
  return [
    '# Kubernetes-managed hosts file',
    hostNetwork ? ' (host network).\n' : '.\n',
    '127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n',
    'fe00::\tip6-localnet\nfe00::\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n',
    hostNetwork || podIP === '' ? '' : `${podIP}\t${names}\n`,
    aliases.length === 0 ? '' : `\n# Entries added by HostAliases.\n${aliases.join('')}`,
  ].join('')
}

function resolverOf({ metadata, spec }: SeenPod): string {
  const { dnsPolicy = 'ClusterFirst', hostNetwork, dnsConfig } = spec ?? {}
  const usesCluster =
    dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork)
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {}
  const search = [
    ...(usesCluster
      ? [`${metadata.namespace}.svc.${CLUSTER_DOMAIN}`, `svc.${CLUSTER_DOMAIN}`, CLUSTER_DOMAIN]
      : []),
    ...searches,
  ]
  const settings = [
    ...(usesCluster ? ['ndots:5'] : []),
    ...options.map(({ name = '', value }) => (value === undefined ? name : `${name}:${value}`)),
  ]
  return [
    ...(search.length > 0 ? [`search ${search.join(' ')}`] : []),
    ...[...(usesCluster ? [DNS_ADDRESS] : []), ...nameservers].map((ip) => `nameserver ${ip}`),
    ...(settings.length > 0 ? [`options ${settings.join(' ')}`] : []),
    '',
  ].join('\n')
}
