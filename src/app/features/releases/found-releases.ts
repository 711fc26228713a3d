import type { Text } from '../search/rank'
import type { Found } from '../search/search'
import { RELEASE_NOTES } from './release-notes'
import { showChange } from './state'

export const FOUND_RELEASES: readonly { text: Text; entry: Found }[] = RELEASE_NOTES.map(
  ({ release, name, hint }) => ({
    text: {
      title: `kubernetes ${release}`,
      more: `release version upgrade downgrade ${name} ${hint}`.toLowerCase(),
    },
    entry: {
      key: `release ${release}`,
      title: `Kubernetes ${release}: ${hint}`,
      hint: name,
      isName: false,
      run: () => showChange(release),
    },
  }),
)
