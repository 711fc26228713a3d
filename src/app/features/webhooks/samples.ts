import addLabel from './samples/add-label.js?raw'
import convertShirts from './samples/convert-shirts.js?raw'
import quotesApi from './samples/quotes-api.js?raw'
import requireOwner from './samples/require-owner.js?raw'

export interface HandlerSample {
  name: string
  about: string
  address: string
  source: string
}

export const HANDLER_SAMPLES: readonly HandlerSample[] = [
  {
    name: 'add-label',
    about: 'Mutating webhook: adds a label to new objects',
    address: 'https://hooks.example.com/add-label',
    source: addLabel,
  },
  {
    name: 'require-owner',
    about: 'Validating webhook: rejects objects without an owner label',
    address: 'https://hooks.example.com/require-owner',
    source: requireOwner,
  },
  {
    name: 'convert-shirts',
    about: 'Conversion webhook: converts between versions',
    address: 'https://hooks.example.com/convert-shirts',
    source: convertShirts,
  },
  {
    name: 'quotes-api',
    about: 'Aggregated API server: serves a resource from this page',
    address: 'default/quotes',
    source: quotesApi,
  },
]
