// The search also finds the British spelling. cspell:ignore colours
/** Synonyms by command id. */
export const OTHER_WORDS: Readonly<Record<string, string>> = {
  'theme-system': 'settings preferences appearance colours colors mode',
  'theme-light': 'settings preferences appearance colours colors mode day',
  'theme-dark': 'settings preferences appearance colours colors mode night',
  'reset-layout': 'settings preferences panels windows default',
  shortcuts: 'settings preferences hotkeys bindings help',
  stored: 'settings storage data privacy clear delete quota',
  reset: 'clear wipe empty delete everything start over',
  compact: 'etcd revisions gone expired',
  release: 'version upgrade downgrade time machine',
  workspaces: 'projects switch rename context',
  share: 'url permalink send',
  export: 'download save backup dump',
  import: 'upload restore load',
  'copy-issue': 'bug report feedback',
  delete: 'remove',
  'dry-run': 'validate check diff preview',
  run: 'deploy submit send',
  'clear-log': 'empty network',
  welcome: 'home intro tutorial',
  about: 'help limits documentation faq',
}
