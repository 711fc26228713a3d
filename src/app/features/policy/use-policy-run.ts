import { useEffect, useState } from 'react'
import type { CaseResult } from '../../../policy-test/types'
import { useConnection } from '../../state/connection'
import { useDiscovery } from '../../state/discovery'
import { type CheckedText, checkPolicies } from './policy-checks'
import { SERVED } from './served-types'
import type { TestTexts } from './test-sets'

const QUIET_MILLISECONDS = 400

export interface Checked extends CheckedText {
  text: string
}

export function useChecked(text: string): Checked | undefined {
  const [checked, setChecked] = useState<Checked>()
  const served = useDiscovery((state) => state.resources)
  // biome-ignore lint/correctness/useExhaustiveDependencies: types may change with what is served
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const found = await checkPolicies(text, SERVED)
      if (current) setChecked({ ...found, text })
    }, QUIET_MILLISECONDS / 2)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [text, served])
  return checked
}

export interface TestRun {
  results: readonly CaseResult[]
  failure: string | undefined
  running: boolean
}

/** Runs the tests on a separate cluster. */
export function useTests({ policies, tests }: TestTexts): TestRun {
  const [run, setRun] = useState<TestRun>({ results: [], failure: undefined, running: true })
  const connection = useConnection((state) => state.connection)
  useEffect(() => {
    if (connection === undefined) return
    let current = true
    setRun((before) => ({ ...before, running: true }))
    const files = [
      { name: 'policies', text: policies },
      { name: 'tests', text: tests },
    ]
    const timer = setTimeout(() => {
      connection.channel.request('policyTests', { files }).then(
        (results) => current && setRun({ results, failure: undefined, running: false }),
        (error: unknown) =>
          current &&
          setRun((before) => ({
            ...before,
            failure: error instanceof Error ? error.message : String(error),
            running: false,
          })),
      )
    }, QUIET_MILLISECONDS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [connection, policies, tests])
  return run
}
