/** Runs the kubectl that is installed: the one named in KUBECTL, else the first on PATH. */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** undefined if none is installed. */
export function findKubectl(): string | undefined {
  const candidates = process.env.KUBECTL
    ? [process.env.KUBECTL]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'kubectl'))
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export interface Kubectl {
  /** Runs `kubectl ARGS`; a failure is an outcome too. */
  run(
    args: string[],
    options?: { input?: string; environment?: Record<string, string>; seconds?: number },
  ): Promise<Outcome>
  /** The output of a command that must succeed. @throws Error with what it complained about */
  output(args: string[], input?: string): Promise<string>
}

/** @param home a folder of its own for caches, so that nothing of the user's is touched */
export function kubectl(
  program: string,
  { kubeconfig, namespace, home }: { kubeconfig: string; namespace: string; home: string },
): Kubectl {
  const run: Kubectl['run'] = (args, { input, environment = {}, seconds = 30 } = {}) =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, HOME: home, KUBECONFIG: kubeconfig, ...environment }
      const child = execFile(
        program,
        ['--namespace', namespace, ...args],
        { env, timeout: seconds * 1000, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) =>
          resolve({
            code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
            stdout,
            stderr,
          }),
      )
      child.stdin?.end(input ?? '')
    })
  return {
    run,
    async output(args, input) {
      const { code, stdout, stderr } = await run(args, input === undefined ? {} : { input })
      if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: exit ${code}: ${stderr}`)
      return stdout
    },
  }
}
