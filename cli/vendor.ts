import { createVendor } from '../services/vendor-account/create.ts';
import { type Command, print, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const vendorCommand: Command = {
  usage: 'vendor create NAME',
  does: 'makes a vendor and prints its first key, once',
  run: async ([verb, ...words]) => {
    const name = words.join(' ').trim();
    if (verb !== 'create' || name === '') throw new UsageError('say what to do and how the vendor is called');
    return withDatabase(async (db) => {
      const { vendorId, keyId, apiKey } = await createVendor(db, name);
      print(`vendor   ${vendorId}`);
      print(`key id   ${keyId}`);
      print(`api key  ${apiKey}`);
      print('The key is shown this once; only its hash is kept.');
      return 0;
    });
  },
};
