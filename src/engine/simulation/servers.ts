/**
 * The ports on which the program of a container listens, if image and command are known (see the
 * documentation of the images and of agnhost).
 */
import { flagIn } from './agnhost/flags'
import type { CommandLine } from './program'

/** One port that a program listens on. */
export interface Listener {
  port: number
  /** TCP if absent. */
  protocol?: 'UDP'
  /** The program whose responses are simulated. */
  program?: string
  /**
   * The status of a GET response, by seconds since the start of the program; undefined if it is
   * unknown. Absent: the port does not serve HTTP.
   */
  statusOf?(path: string, seconds: number): number | undefined
  encrypted?: boolean
  /** The health of a gRPC service, by seconds since the start of the program. */
  healthOf?(service: string, seconds: number): 'SERVING' | 'NOT_SERVING' | 'NOT_FOUND'
}

export interface Served extends CommandLine {
  image?: string
  volumeMounts?: { mountPath: string }[]
  env?: { name: string; value?: string }[]
}

/** Serves the same page at every path. */
const everyPath = () => 200
/** Pages of files that are not in the image. */
const unknownPage = (): undefined => undefined
const onlyFiles =
  (...files: string[]) =>
  (path: string) =>
    files.includes(path) ? 200 : 404

interface Known {
  image: RegExp
  /** The name of the program, which a command may start without changing its behavior. */
  program: string
  listeners: readonly Listener[]
  /** A mount below these directories may change what the program serves. */
  configured: readonly string[]
  /** The directory whose files it serves. */
  pages?: string
}

/** Registries of the known images. Other images of the same name may serve differently. */
const PLACES = [
  '(?:docker\\.io/)?(?:library/)?',
  'registry\\.k8s\\.io/(?:e2e-test-images/)?',
  '(?:k8s\\.gcr\\.io|gcr\\.io/google[-_]containers)/(?:e2e-test-images/)?',
  '(?:mirror\\.gcr\\.io|public\\.ecr\\.aws/docker)/library/',
].join('|')

const named = (name: string): RegExp => new RegExp(`^(?:${PLACES})${name}(?:[:@]|$)`)

const SERVERS: readonly Known[] = [
  {
    image: named('nginx'),
    program: 'nginx',
    listeners: [
      { port: 80, program: 'nginx', statusOf: onlyFiles('/', '/index.html', '/50x.html') },
    ],
    configured: ['/etc/nginx'],
    pages: '/usr/share/nginx/html',
  },
  {
    image: named('httpd'),
    program: 'httpd-foreground',
    listeners: [{ port: 80, program: 'httpd', statusOf: onlyFiles('/', '/index.html') }],
    configured: ['/usr/local/apache2/conf'],
    pages: '/usr/local/apache2/htdocs',
  },
  {
    image: named('nautilus'),
    program: 'nautilus',
    listeners: [{ port: 80, program: 'nautilus', statusOf: onlyFiles('/', '/data.json') }],
    configured: [],
    pages: '/usr/local/apache2/htdocs',
  },
  {
    image: named('echoserver'),
    program: '',
    listeners: [
      { port: 8080, statusOf: everyPath },
      { port: 8443, statusOf: everyPath, encrypted: true },
    ],
    configured: [],
  },
  ...(
    [
      ['redis', 'redis-server', 6379],
      ['memcached', 'memcached', 11211],
      ['postgres', 'postgres', 5432],
      ['mysql', 'mysqld', 3306],
      ['mariadb', 'mariadbd', 3306],
      ['mongo', 'mongod', 27017],
    ] as const
  ).map(([image, program, port]) => ({
    image: named(image),
    program,
    listeners: [{ port }],
    configured: ['/etc', '/usr/local/etc', '/data/configdb'],
  })),
  { image: named('pause'), program: 'pause', listeners: [], configured: [] },
]

const AGNHOST = named('agnhost')
/** The agnhost liveness server is healthy for this many seconds. */
const LIVENESS_SECONDS = 10

/** The ports of the subcommands of agnhost; flags such as `--port` change them. */
const AGNHOST_COMMANDS: ReadonlyMap<
  string,
  { port: number; flag: string; statusOf?: Listener['statusOf'] }
> = new Map([
  ['netexec', { port: 8080, flag: '--http-port', statusOf: everyPath }],
  ['serve-hostname', { port: 9376, flag: '--port', statusOf: everyPath }],
  ['test-webserver', { port: 80, flag: '--port', statusOf: unknownPage }],
  [
    'liveness',
    {
      port: 8080,
      flag: '',
      statusOf: (path: string, seconds: number) =>
        path === '/healthz'
          ? seconds > LIVENESS_SECONDS
            ? 500
            : 200
          : path === '/started'
            ? 200
            : 404,
    },
  ],
  ['nettest', { port: 8080, flag: '--port', statusOf: everyPath }],
  ['guestbook', { port: 80, flag: '--http-port', statusOf: everyPath }],
  ['webhook', { port: 443, flag: '--port', statusOf: everyPath }],
  ['crd-conversion-webhook', { port: 443, flag: '--port', statusOf: unknownPage }],
])

/** Seconds after the start at which the responses of a program change. */
export function changesOf({ image = '', args = [] }: Served): readonly number[] {
  if (!AGNHOST.test(image)) return []
  if (args[0] === 'liveness') return [LIVENESS_SECONDS + 0.001]
  const delay = args[0] === 'grpc-health-checking' ? flagIn(args, UNHEALTHY) : undefined
  return delay === undefined ? [] : [Number(delay)]
}

/** @returns undefined if unknown; an empty list if no program listens */
export function listenersOf(container: Served): readonly Listener[] | undefined {
  const { image = '', command = [], args = [], volumeMounts = [] } = container
  const [first, ...rest] = [...command, ...args]
  const program = first?.replace(/^.*\//, '')
  if (program === 'sleep' || program === 'tail' || program === 'true' || program === 'false')
    return []
  if (AGNHOST.test(image))
    return agnhostListeners(
      command.length > 0 && program === 'agnhost' ? rest : command.length > 0 ? undefined : args,
      container.env ?? [],
    )
  const known = SERVERS.find((server) => server.image.test(image))
  if (known === undefined) return undefined
  if (
    command.length > 0
      ? program !== known.program
      : args.length > 0 && program !== known.program && known.program !== 'pause'
  )
    return undefined
  if (rest.length > 0 && !(known.program === 'nginx' && rest.join(' ') === '-g daemon off;'))
    return undefined
  const isMounted = (place: string): boolean =>
    volumeMounts.some(
      ({ mountPath }) =>
        `${mountPath}/`.startsWith(`${place}/`) || `${place}/`.startsWith(`${mountPath}/`),
    )
  if (known.configured.some(isMounted)) return undefined
  return known.pages === undefined || !isMounted(known.pages)
    ? known.listeners
    : known.listeners.map((listener) => ({ ...listener, statusOf: unknownPage }))
}

function agnhostListeners(
  words: readonly string[] | undefined,
  env: readonly { name: string }[],
): readonly Listener[] | undefined {
  if (words === undefined) return undefined
  const [subcommand = 'pause', ...flags] = words
  if (subcommand === 'pause' || RUNS_ALONE.has(subcommand)) return []
  if (subcommand === 'porter') return porterListeners(env)
  if (subcommand === 'grpc-health-checking') return healthListeners(flags)
  const known = AGNHOST_COMMANDS.get(subcommand)
  if (known === undefined) return undefined
  const { port, flag, statusOf } = known
  const listener: Listener = {
    port: Number(flagIn(flags, flag) ?? port),
    program: subcommand,
    ...(statusOf && { statusOf }),
    ...(flagIn(flags, '--tls-cert-file') !== undefined && { encrypted: true }),
  }
  if (subcommand !== 'netexec') return [listener]
  const udpPort = Number(flagIn(flags, '--udp-port') ?? DATAGRAM_PORT)
  return udpPort < 0
    ? [listener]
    : [listener, { port: udpPort, protocol: 'UDP', program: subcommand }]
}

/** The flag with the seconds after which `grpc-health-checking` is not healthy. */
const UNHEALTHY = '--delay-unhealthy-sec'

function healthListeners(flags: readonly string[]): Listener[] {
  const delay = Number(flagIn(flags, UNHEALTHY) ?? -1)
  const known = flagIn(flags, '--service') ?? ''
  return [
    {
      port: Number(flagIn(flags, '--port') ?? 5000),
      healthOf(service, seconds) {
        if (service !== known) return 'NOT_FOUND'
        return delay >= 0 && seconds >= delay ? 'NOT_SERVING' : 'SERVING'
      },
    },
    { port: Number(flagIn(flags, '--http-port') ?? 8080) },
  ]
}

const DATAGRAM_PORT = 8081
/** Subcommands that listen on no port. */
const RUNS_ALONE = new Set(['mounttest', 'entrypoint-tester', 'logs-generator', 'dns-suffix'])

/** `SERVE_PORT_80` and `SERVE_TLS_PORT_443` name the ports of `porter`. */
const porterListeners = (env: readonly { name: string }[]): Listener[] =>
  env.flatMap(({ name }): Listener[] => {
    const found = /^SERVE_(TLS_|TCP_|UDP_)?PORT_(\d{1,5})$/.exec(name)
    if (found === null) return []
    const [, kind, port] = found
    if (kind === 'UDP_') return [{ port: Number(port), protocol: 'UDP', program: 'porter' }]
    const encrypted = kind === 'TLS_' ? { encrypted: true } : {}
    return [{ port: Number(port), program: 'porter', statusOf: everyPath, ...encrypted }]
  })
