import { useEffect, useRef } from 'react'
import { useDiscovery } from '../../state/discovery'
import type { EditorTab } from '../manifests/editors'
import type { CheckedText } from '../policy/policy-checks'
import type { MonacoApi } from './monaco'

const CHECK_MILLISECONDS = 250
const OWNER = 'expressions'
const HAS_POLICY = /\bkind["']?\s*:\s*["']?ValidatingAdmissionPolicy\b/

/** The CEL support is loaded when a policy is first edited. */
export function useExpressionChecks(
  monaco: MonacoApi | undefined,
  tab: EditorTab,
  uri: (monaco: MonacoApi) => string,
): void {
  const served = useDiscovery((state) => state.resources)
  const checked = useRef<CheckedText>(undefined)
  const { text, language } = tab
  // biome-ignore lint/correctness/useExhaustiveDependencies: types may change with what is served, and models with the tab
  useEffect(() => {
    const model = monaco?.editor.getModel(monaco.Uri.parse(uri(monaco)))
    if (!monaco || !model) return
    if (language !== 'yaml' || !HAS_POLICY.test(text)) {
      monaco.editor.setModelMarkers(model, OWNER, [])
      return
    }
    const timer = setTimeout(async () => {
      const [{ checkPolicies }, { registerPolicyLanguage }, { SERVED }] = await Promise.all([
        import('../policy/policy-checks'),
        import('../policy/policy-language'),
        import('../policy/served-types'),
      ])
      const found = await checkPolicies(text, SERVED)
      if (model.isDisposed() || model.getValue() !== text) return
      checked.current = found
      registerPolicyLanguage(monaco, model, () => checked.current)
      const markers = found.problems.map(({ message, severity, start, end }) => {
        const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)]
        return {
          message,
          severity:
            severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
          startLineNumber: from.lineNumber,
          startColumn: from.column,
          endLineNumber: to.lineNumber,
          endColumn: to.column,
          source: OWNER,
        }
      })
      monaco.editor.setModelMarkers(model, OWNER, markers)
    }, CHECK_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [monaco, tab.id, text, language, served])
}
