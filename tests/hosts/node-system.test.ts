import { describe, expect, it } from 'vitest'
import { type ProcessReadings, readProcess } from '../../src/engine/telemetry/process-metrics'
import { MetricRegistry } from '../../src/engine/telemetry/registry'
import { systemEnvironment } from '../../src/hosts/node/system'

const { clock, random } = systemEnvironment

describe("the machine's randomness", () => {
  it('returns each byte once', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 5000; i++)
      seen.add(Buffer.from(random.bytes(new Uint8Array(16))).toString('hex'))
    expect(seen.size).toBe(5000)
  })

  it('fills any length and returns the same array', () => {
    for (const length of [0, 1, 8192, 20_000]) {
      const array = new Uint8Array(length)
      expect(random.bytes(array)).toBe(array)
    }
    expect(random.bytes(new Uint8Array(20_000)).filter((byte) => byte === 0).length).toBeLessThan(
      200,
    )
  })
})

describe("the machine's clock", () => {
  it('calls back after the delay, unless canceled', async () => {
    const calls: string[] = []
    const started = clock.now()
    const callOff = clock.after(5, () => calls.push('called off'))
    callOff()
    await new Promise<void>((resolve) => clock.after(20, resolve))
    expect(calls).toEqual([])
    expect(clock.now() - started).toBeGreaterThanOrEqual(15)
  })

  it("supports delays longer than a timer's maximum", () => {
    const callOff = clock.after(2 ** 40, () => {
      throw new Error('far too early')
    })
    callOff()
  })
})

/** Returns the lines of process metrics. */
function textOf(readings: ProcessReadings | undefined): string[] {
  const registry = new MetricRegistry()
  readProcess(registry, readings)
  const lines = registry.text({ release: '1.31', showsHidden: false }).split('\n')
  return lines.filter((line) => /^(# \w+ )?process_/.test(line))
}

// The e2e tests of kube-apiserver look for these metrics by name.
it('process metrics are exposed where the operating system provides them', () => {
  const now = Date.now() / 1000
  const readings = systemEnvironment.process?.()
  expect(readings?.startTime).toBeGreaterThan(now - 3600)
  expect(readings?.startTime).toBeLessThan(now)
  const [cpu] = textOf(readings).filter((line) => line.startsWith('process_cpu_seconds_total '))
  expect(Number(cpu?.replace('process_cpu_seconds_total ', ''))).toBeGreaterThan(0)
  expect(textOf({ startTime: 1.5, cpuSeconds: 2, residentBytes: 3e9, openFiles: 4 })).toEqual([
    '# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.',
    '# TYPE process_cpu_seconds_total counter',
    'process_cpu_seconds_total 2',
    '# HELP process_open_fds Number of open file descriptors.',
    '# TYPE process_open_fds gauge',
    'process_open_fds 4',
    '# HELP process_resident_memory_bytes Resident memory size in bytes.',
    '# TYPE process_resident_memory_bytes gauge',
    'process_resident_memory_bytes 3e+09',
    '# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.',
    '# TYPE process_start_time_seconds gauge',
    'process_start_time_seconds 1.5',
  ])
  expect(textOf(undefined)).toEqual([])
})
