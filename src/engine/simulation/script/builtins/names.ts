/** Clients of the cluster DNS: `nslookup`, `dig` and `getent`. */
// cspell:ignore NXDOMAIN NOERROR noall edns ahosts
import type { RecordType } from '../../network/client'
import type { Builtin, Outcome } from '../command'
import { OutsideSubset } from '../words'
import { networkOf } from './http-clients'

const TYPES: readonly string[] = ['A', 'AAAA', 'SRV', 'PTR', 'CNAME']
/** Seconds that a resolver waits for servers (resolv.conf(5), `timeout` and `attempts`). */
const NAME_SECONDS = 10
/** Of a record in the cluster DNS. */
const RECORD_SECONDS = 30

const reverseName = (ip: string): string => `${ip.split('.').reverse().join('.')}.in-addr.arpa`

const isIPv4 = (text: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(text)

const nslookup: Builtin = (args, state) => {
  const type = args.find((word) => /^-(?:type|query)=/.test(word))?.split('=')[1] ?? 'A'
  const [name = ''] = args.filter((word) => !word.startsWith('-'))
  const wanted = type.toUpperCase()
  if (!TYPES.includes(wanted)) throw new OutsideSubset('nslookup')
  const network = networkOf(state, 'nslookup')
  const [server = '127.0.0.1'] = network.servers
  const head = `Server:\t\t${server}\nAddress:\t${server}:53\n\n`
  const isReverse = isIPv4(name)
  const query = isReverse ? reverseName(name) : name
  const response = network.lookUp(
    isReverse ? `${query}.` : query,
    isReverse ? 'PTR' : (wanted as RecordType),
  )
  if (response === 'timeout') {
    state.sleep(NAME_SECONDS)
    return { error: `;; connection timed out; no servers could be reached\n\n`, code: 1 }
  }
  if (response === undefined)
    return { output: `${head}** server can't find ${query}: NXDOMAIN\n\n`, code: 1 }
  const lines = response.records.map((record) => {
    if (isReverse || wanted === 'PTR') return `${query}\tname = ${record.slice(0, -1)}\n`
    if (wanted === 'SRV') return `${response.name}\tservice = ${record}\n`
    if (record.endsWith('.')) return `${response.name}\tcanonical name = ${record.slice(0, -1)}\n`
    return `Name:\t${response.name}\nAddress: ${record}\n`
  })
  return { output: `${head}${lines.join('')}\n` }
}

/** Options of dig that change what it prints, and those that make no difference here. */
const SHOWN = new Set(['short', 'noall', 'answer', 'search'])
const IGNORED =
  /^(?:no)?(?:tcp|vc|recurse|comments|cmd|stats|question|all|search|edns|cookie)$|^(?:time|timeout|tries|retry)=\d+$/

/** `dig` queries the name as it is, unless `+search` is given. */
const dig: Builtin = (args, state) => {
  const options = new Set<string>()
  const words: string[] = []
  for (const word of args) {
    if (word.startsWith('@')) continue
    if (!word.startsWith('+')) words.push(word)
    else if (SHOWN.has(word.slice(1))) options.add(word.slice(1))
    else if (!IGNORED.test(word.slice(1))) throw new OutsideSubset(`dig ${word}`)
  }
  const isReverse = words[0] === '-x'
  if (isReverse) words.shift()
  if (words.some((word) => word.startsWith('-'))) throw new OutsideSubset('dig')
  const given = words.find((word) => TYPES.includes(word.toUpperCase()))?.toUpperCase()
  const [name = '.'] = words.filter((word) => word.toUpperCase() !== given && word !== 'IN')
  const type = (isReverse ? 'PTR' : (given ?? 'A')) as RecordType
  const plain = isReverse ? reverseName(name) : name
  const isAbsolute = plain.endsWith('.') || !options.has('search')
  const network = networkOf(state, 'dig')
  const [server = '127.0.0.1'] = network.servers
  const query = plain.replace(/\.$/, '')
  const response = network.lookUp(isAbsolute ? `${query}.` : query, type)
  if (response === 'timeout') {
    state.sleep(NAME_SECONDS)
    return { output: ';; connection timed out; no servers could be reached\n', code: 9 }
  }
  const records = response?.records ?? []
  if (options.has('short')) return { output: records.map((record) => `${record}\n`).join('') }
  const full = `${response?.name ?? query}.`
  const section = records
    .map((record) => `${full}\t${RECORD_SECONDS}\tIN\t${recordType(record, type)}\t${record}\n`)
    .join('')
  if (options.has('noall')) return { output: options.has('answer') ? section : '' }
  return {
    output: wholeResponse(args, { full, type, server, section, records, isFound: !!response }),
  }
}

const recordType = (record: string, type: RecordType): RecordType =>
  (type === 'A' || type === 'AAAA') && record.endsWith('.') ? 'CNAME' : type

function wholeResponse(
  args: readonly string[],
  {
    full,
    type,
    server,
    section,
    records,
    isFound,
  }: {
    full: string
    type: string
    server: string
    section: string
    records: readonly string[]
    isFound: boolean
  },
): string {
  const status = isFound ? 'NOERROR' : 'NXDOMAIN'
  return [
    `; <<>> DiG 9.18.27 <<>> ${args.join(' ')}`,
    ';; global options: +cmd',
    ';; Got answer:',
    `;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 1`,
    `;; flags: qr aa rd; QUERY: 1, ANSWER: ${records.length}, AUTHORITY: 0, ADDITIONAL: 0`,
    '',
    ';; QUESTION SECTION:',
    `;${full}\tIN\t${type}`,
    '',
    ...(section === '' ? [] : [`;; ANSWER SECTION:\n${section}`]),
    ';; Query time: 0 msec',
    `;; SERVER: ${server}#53(${server}) (UDP)`,
    '',
    '',
  ].join('\n')
}

/** `getent hosts NAME`: the hosts file, then the DNS. */
const getent: Builtin = ([database, name = ''], state): Outcome => {
  if (database !== 'hosts' && database !== 'ahosts') throw new OutsideSubset('getent')
  const ip = networkOf(state, 'getent').addressOf(name)
  return ip === undefined || ip === 'timeout'
    ? { code: 2 }
    : { output: `${ip.padEnd(15)} ${name}\n` }
}

export const NAME_COMMANDS: readonly (readonly [string, Builtin])[] = [
  ['nslookup', nslookup],
  ['dig', dig],
  ['getent', getent],
]
