/** The subcommands of agnhost, with the output that its README documents. */
// cspell:ignore rwxrwxrwx drwxrwxrwx dtrwxrwxrwx dgrwxrwxrwx drwx
import { describe, expect, it } from 'vitest'
import type { SeenContainer, SeenPod } from '../../src/engine/simulation/pod'
import { outputInPod } from './in-pod'

type Spec = Partial<NonNullable<SeenPod['spec']>>

function agnhost(
  args: string[],
  { spec = {}, ...container }: Partial<SeenContainer> & { spec?: Spec } = {},
  volume: object = { emptyDir: {} },
): string {
  const volumes = [{ name: 'v', ...volume }]
  const volumeMounts = [{ name: 'v', mountPath: '/v' }]
  return outputInPod({ args, volumeMounts, ...container }, { volumes, ...spec })
}

const user = (runAsUser: number, more: object = {}): { spec: Spec } => ({
  spec: { securityContext: { runAsUser, ...more } },
})

describe('mounttest', () => {
  const memory = { emptyDir: { medium: 'Memory' } }
  const secret = { secret: { secretName: 's' } }

  it.each([
    [['--fs_type=/v'], {}, undefined, 'mount type of "/v": 61267\n'],
    [['--fs_type=/v'], {}, memory, 'mount type of "/v": tmpfs\n'],
    [['--fs_type=/tmp'], {}, undefined, 'mount type of "/tmp": 2035054128\n'],
    [['--file_perm=/v'], {}, undefined, 'perms of file "/v": -rwxrwxrwx\n'],
    [['--file_mode=/v'], {}, undefined, 'mode of file "/v": drwxrwxrwx\n'],
    [['--file_mode', '/v'], {}, memory, 'mode of file "/v": dtrwxrwxrwx\n'],
    [
      ['--file_mode=/v/password'],
      {},
      { secret: { secretName: 's', defaultMode: 0o400 } },
      'mode of file "/v/password": -r--------\n',
    ],
    [
      ['--file_mode=/v/password', '--file_owner=/v/password', '--file_content=/v/password'],
      user(1000, { fsGroup: 1001 }),
      { secret: { secretName: 's', defaultMode: 0o400 } },
      'mode of file "/v/password": -r--r-----\nowner UID of "/v/password": 0\n' +
        'owner GID of "/v/password": 1001\ncontent of file "/v/password": secret\n',
    ],
    [['--file_content=/v/password'], user(1000), secret, 'content of file "/v/password": secret\n'],
    [
      ['--file_content=/v/password'],
      user(1000),
      { secret: { secretName: 's', defaultMode: 0o400 } },
      'error reading file content for "/v/password": open /v/password: permission denied\n(1)',
    ],
    [
      ['--file_content=/v/none'],
      {},
      secret,
      'error reading file content for "/v/none": open /v/none: no such file or directory\n(1)',
    ],
    [
      ['--file_content_in_loop=/v/none', '--retry_time=4'],
      {},
      secret,
      'Error reading file /v/none: open /v/none: no such file or directory, retrying\n'.repeat(2) +
        '(1)',
    ],
    [['--nothing=1'], {}, undefined, 'Error: unknown flag: --nothing\n(1)'],
  ])('%j', (args, container, volume, expected) => {
    expect(agnhost(['mounttest', ...args], container, volume)).toBe(expected)
  })

  it.each([
    ['0644', '-rw-r--r--', 0],
    ['0666', '-rw-rw-rw-', 0],
    ['0660', '-rw-rw----', 1001],
    ['0777', '-rwxrwxrwx', 1001],
  ])('creates a file with the mode %s', (mode, text, id) => {
    const args = [`--new_file_${mode}=/v/f`, '--file_perm=/v/f', '--file_owner=/v/f']
    expect(agnhost(['mounttest', ...args], user(id))).toBe(
      `content of file "/v/f": mount-tester new file\n\nperms of file "/v/f": ${text}\n` +
        `owner UID of "/v/f": ${id}\nowner GID of "/v/f": 0\n`,
    )
  })

  it('creates files with the group of the volume', () => {
    const args = ['mounttest', '--new_file_0660=/v/f', '--file_owner=/v/f', '--file_mode=/v']
    expect(agnhost(args, user(1001, { fsGroup: 123 }))).toContain(
      'mode of file "/v": dgrwxrwxrwx\nowner UID of "/v/f": 1001\nowner GID of "/v/f": 123\n',
    )
  })
})

describe('other subcommands', () => {
  it.each([
    [['entrypoint-tester', 'a', 'b'], {}, '[/agnhost entrypoint-tester a b]\n'],
    [['entrypoint-tester'], { command: ['/agnhost-2'] }, '[/agnhost-2 entrypoint-tester]\n'],
    [
      ['dns-suffix'],
      { spec: { dnsPolicy: 'None', dnsConfig: { searches: ['a.b', 'c.d'] } } },
      'a.b,c.d\n',
    ],
    [
      ['dns-server-list'],
      { spec: { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } } },
      '1.1.1.1\n',
    ],
  ])('%j', (args, container, expected) => {
    expect(agnhost(args, container)).toBe(expected)
  })

  it('pause runs until it is stopped, also without arguments', () => {
    expect(agnhost(['pause'])).toBe('Paused\n')
    expect(outputInPod({})).toBe('Paused\n')
  })

  it('logs-generator prints its lines over the duration', () => {
    const args = ['logs-generator', '--log-lines-total', '3', '--run-duration', '3s']
    const lines = agnhost(args).trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[2]).toMatch(
      /^I\{date:.*\} +1 logs_generator\.go:76\] 2 (GET|POST|PUT) \/api\/v1\/namespaces\/\S+\/pods\/\w+ \d{3}$/,
    )
    expect(agnhost(['logs-generator', '-t', '0', '-d', '1s'])).toBe(
      'Invalid total number of lines: 0\n(255)',
    )
  })
})

describe('users', () => {
  const script = (text: string, container: Partial<SeenContainer> & { spec?: Spec } = {}) =>
    agnhost([], { command: ['sh', '-c', text], ...container })

  it.each([
    ['id', user(1000, { runAsGroup: 5, fsGroup: 7 }), 'uid=1000 gid=5 groups=5,7\n'],
    ['id -u; id -G; whoami', {}, '0\n0\nroot\n'],
    ['echo a > /x', user(1000), "sh: can't create /x: Permission denied\n(1)"],
    ['echo a > /tmp/x; stat -c "%a %u:%g %U" /tmp/x /tmp', user(1), '644 1:0 1\n1777 0:0 root\n'],
    ['chmod 600 /etc/passwd', user(1), 'chmod: /etc/passwd: Operation not permitted\n(1)'],
    ['touch /v/a; chown 3:4 /v/a; ls -ln /v/a | cut -c1-26', {}, '-rw-r--r--    1 3        4\n'],
    ['mkdir -m 700 /v/d; ls -ld /v/d | cut -c1-10', {}, 'drwx------\n'],
  ])('%s', (text, container, expected) => {
    expect(script(text, container)).toBe(expected)
  })
})
