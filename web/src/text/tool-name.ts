// Names of tools that websites use, such as `google_analytics`, as their makers write them.
import { capital } from './format';

const WRITTEN: Record<string, string> = {
  activecampaign: 'ActiveCampaign', adroll: 'AdRoll', bentobox: 'BentoBox', bigcommerce: 'BigCommerce', cal_com: 'Cal.com', callrail: 'CallRail', chownow: 'ChowNow',
  doordash: 'DoorDash', doordash_storefront: 'DoorDash', fareharbor: 'FareHarbor', fullstory: 'FullStory', glossgenius: 'GlossGenius', godaddy: 'GoDaddy', gloriafood: 'GloriaFood',
  gohighlevel: 'HighLevel', honeybook: 'HoneyBook', hubspot: 'HubSpot', hubspot_analytics: 'HubSpot', hubspot_chat: 'HubSpot', hubspot_cms: 'HubSpot', hubspot_meetings: 'HubSpot Meetings', jivochat: 'JivoChat',
  linkedin: 'LinkedIn', livechat: 'LiveChat', localmed: 'LocalMed', nexhealth: 'NexHealth', opentable: 'OpenTable', owner_com: 'Owner.com', petdesk: 'PetDesk', posthog: 'PostHog',
  prestashop: 'PrestaShop', service_titan: 'ServiceTitan', sevenrooms: 'SevenRooms', simplepractice: 'SimplePractice', simplybook: 'SimplyBook.me', spoton: 'SpotOn',
  stackadapt: 'StackAdapt', styleseat: 'StyleSeat', tawk: 'tawk.to', thefork: 'TheFork', tiktok: 'TikTok', typo3: 'TYPO3', wellnessliving: 'WellnessLiving', woocommerce: 'WooCommerce', wordpress: 'WordPress', wpforms: 'WPForms',
};

export const toolName = (slug: string) => WRITTEN[slug] ?? slug.split('_').map(capital).join(' ');
