// Who is signed in. The session itself is a cookie that scripts cannot read.
import { whenSignedOut } from '../api/client';
import { readAccount, readOptions, type AccountDetails, type Options } from '../api/account';
import { Problem } from '../api/problem';

type State = 'asking' | 'in' | 'out' | 'unreachable';
let state = $state<State>('asking');
let account = $state.raw<AccountDetails | null>(null);
let options = $state.raw<Options | null>(null);
let ended = $state(false);

export const session = {
  get state() {
    return state;
  },
  /** The signed-in account. Pages that need it are only shown when there is one. */
  get account() {
    return account;
  },
  get options() {
    return options;
  },
  /** Whether a session that was open has ended, so that the sign-in page can say so. */
  get ended() {
    return ended;
  },
};

whenSignedOut(() => {
  if (state === 'in') ended = true;
  state = 'out';
  account = null;
});

/** Asks the server who is signed in. */
export async function refreshSession(): Promise<void> {
  try {
    account = await readAccount();
    state = 'in';
    ended = false;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) state = 'out';
    else if (state !== 'in') state = 'unreachable';
  }
}

export async function loadOptions(): Promise<void> {
  options ??= await readOptions().catch(() => null);
}

export function forgetSession(): void {
  account = null;
  ended = false;
  state = 'out';
}
