// Calls of /account/*: the ways in, and what only a signed-in person may do.
import { api, need, type Schemas } from './client';

export type Options = Schemas['SignInOptions'];
export type AccountDetails = Schemas['Profile'];
export type LinkUsed = Schemas['OpenedLink'];
export type Device = Schemas['Device'];
export type Activity = Schemas['Activity'];
export type Key = Schemas['ApiKey'];
/** What a saved view brings back; the server keeps it as it is. */
export interface View {
  name: string;
  settings: Record<string, unknown>;
}

// Without a session.
export const readOptions = () => need(api.GET('/account/options'));
export const signIn = (email: string, password: string) => need(api.POST('/account/sign-in', { body: { email, password } }));
export const signUp = (email: string, password: string) => need(api.POST('/account/sign-up', { body: { email, password } }));
export const forgot = (email: string) => need(api.POST('/account/forgot', { body: { email } }));
export const takeLink = (token: string) => need(api.POST('/account/link', { body: { token } }));

// With a session.
export const readAccount = () => need(api.GET('/account'));
export const signOut = () => need(api.POST('/account/sign-out'));
export const signOutEverywhere = () => need(api.POST('/account/sign-out-everywhere'));
export const listDevices = () => need(api.GET('/account/devices'));
export const endDevice = (device_id: string) => need(api.DELETE('/account/devices/{device_id}', { params: { path: { device_id } } }));
export const setPassword = (new_password: string, current_password?: string) => need(api.PUT('/account/password', { body: { current_password, new_password } }));
export const changeEmail = (email: string, password: string) => need(api.PUT('/account/email', { body: { email, password } }));
export const setNotificationEmail = (email: string | null) => need(api.PUT('/account/notification-email', { body: { email } }));
export const listActivity = () => need(api.GET('/account/activity'));
export const deleteAccount = (password?: string) => need(api.DELETE('/account', { body: { password } }));

export const listKeys = () => need(api.GET('/account/keys'));
export const createKey = (name: string) => need(api.POST('/account/keys', { body: { name } }));
export const revokeKey = (key_id: string) => need(api.DELETE('/account/keys/{key_id}', { params: { path: { key_id } } }));

export const listViews = () => need(api.GET('/account/views')) as Promise<View[]>;
export const saveView = (name: string, settings: object) => need(api.PUT('/account/views/{name}', { params: { path: { name } }, body: { settings: settings as Record<string, never> } }));
export const deleteView = (name: string) => need(api.DELETE('/account/views/{name}', { params: { path: { name } } }));
