//! The assistant connector: every tool, resource and prompt, in both eras of the protocol.

mod errors;
mod waiting;

use canvass::plan::Tier;
use http::StatusCode;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Mcp, On, TestApp, rpc, send};

/// Every tool there is.
const TOOLS: [&str; 15] = [
    "get_account",
    "start_search",
    "wait_for_search",
    "stop_search",
    "list_searches",
    "get_leads",
    "get_lead",
    "export_leads",
    "enrich_leads",
    "write_intro",
    "watch_business",
    "unwatch_business",
    "list_radar",
    "search",
    "fetch",
];

/// Asserts that a value is as a schema says; the part of JSON Schema that the tools use.
fn conforms(value: &Value, schema: &Value, at: &str) {
    if let Some(any) = schema["anyOf"].as_array() {
        let fits = |one: &&Value| is(value, one["type"].as_str().unwrap());
        let fitting = any.iter().find(fits).unwrap_or_else(|| panic!("{at}: {value} is none of {any:?}"));
        conforms(value, fitting, at);
        return;
    }
    if let Some(kind) = schema["type"].as_str() {
        assert!(is(value, kind), "{at}: {value} is no {kind}");
    }
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{at}: {value} is none of {words:?}");
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(name.as_str().unwrap()).is_some(), "{at}: {name} is missing in {value}");
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = value.get(name) {
            conforms(value, inner, &format!("{at}.{name}"));
        }
    }
    for (place, value) in value.as_array().into_iter().flatten().enumerate() {
        conforms(value, &schema["items"], &format!("{at}[{place}]"));
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no such type: {other}"),
    }
}

/// An assistant that checks every answer against the tool's schema, and notes which tools it has called.
struct Checked<'a> {
    mcp: Mcp<'a>,
    tools: Vec<Value>,
    called: Vec<String>,
}

impl Checked<'_> {
    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.mcp.call(tool, arguments).await;
        let described = self.tools.iter().find(|one| one["name"] == tool).unwrap();
        conforms(&answer, &described["outputSchema"], tool);
        self.called.push(tool.to_owned());
        answer
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_whole_conversation_uses_every_tool(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(100).await;
    let _worker = test.worker();
    let mcp = Mcp::new(&test, &key);
    let tools = mcp.tools().await;
    let mut talk = Checked { mcp, tools, called: Vec::new() };

    assert_eq!(talk.call("get_account", json!({})).await["credits"], 100);
    let wish =
        json!({"industry": "dentist", "location": "Austin, TX", "requested_count": 23, "client_request_id": "a"});
    let started = talk.call("start_search", wish.clone()).await;
    let search = text(&started["search_id"]);
    assert_eq!(talk.call("start_search", wish).await["search_id"], search, "asked again, it is the same search");
    let ended = talk.call("wait_for_search", json!({"search_id": search, "timeout_seconds": 45})).await;
    assert_eq!((&ended["status"], &ended["leads_found"]), (&json!("done"), &json!(23)));
    assert_eq!(talk.call("get_account", json!({})).await["credits"], 77);
    assert_eq!(talk.call("list_searches", json!({"status": "done"})).await["searches"][0]["search_id"], search);
    let stopped = talk.call("stop_search", json!({"search_id": search})).await;
    assert_eq!((&stopped["stopped"], &stopped["status"]), (&json!(false), &json!("done")));

    let lead = leads_in_pages(&mut talk, &test, &key, &search).await;
    look_and_spend(&mut talk, &search, &lead).await;
    let mut called = talk.called;
    called.sort();
    called.dedup();
    let mut all = TOOLS.map(str::to_owned).to_vec();
    all.sort();
    assert_eq!(called, all);
}

/// Reads the leads page by page, and gives the id of one with a website.
async fn leads_in_pages(talk: &mut Checked<'_>, test: &TestApp, key: &str, search: &str) -> String {
    let expected: Vec<String> = test.leads(key, search).await.iter().map(|lead| text(&lead["lead_id"])).collect();
    let first = talk.call("get_leads", json!({"search_id": search})).await;
    assert_eq!((first["leads"].as_array().unwrap().len(), &first["total"]), (20, &json!(23)));
    let second = talk.call("get_leads", json!({"search_id": search, "cursor": first["next_cursor"]})).await;
    assert!(second["next_cursor"].is_null(), "{second}");
    let pages = [&first, &second].map(|page| page["leads"].as_array().unwrap().clone()).concat();
    assert_eq!(pages.iter().map(|lead| text(&lead["lead_id"])).collect::<Vec<_>>(), expected);

    let full = talk.call("get_leads", json!({"search_id": search, "detail": "full", "limit": 3})).await;
    assert_eq!(full["leads"].as_array().unwrap()[..], test.leads(key, search).await[..3]);
    let sorted = talk.call("get_leads", json!({"search_id": search, "sort": "score", "limit": 50})).await;
    let scores: Vec<i64> =
        sorted["leads"].as_array().unwrap().iter().map(|lead| lead["score"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
    text(&pages.iter().find(|lead| lead["website"].is_string()).unwrap()["lead_id"])
}

async fn look_and_spend(talk: &mut Checked<'_>, search: &str, lead: &str) {
    let shown = talk.call("get_lead", json!({"lead_id": lead})).await;
    assert_eq!(shown["lead_id"], lead);
    let name = text(&shown["business_name"]);
    let found = talk.call("search", json!({"query": format!("{name} austin")})).await;
    assert!(found["results"].as_array().unwrap().iter().any(|result| result["id"] == lead), "{name}: {found}");
    let opened = talk.call("fetch", json!({"id": lead})).await;
    assert!(text(&opened["text"]).contains(&format!("business_name: {name}")), "{opened}");
    assert_eq!(talk.call("search", json!({"query": "no such business anywhere"})).await["results"], json!([]));

    let enriched = talk.call("enrich_leads", json!({"search_id": search, "lead_ids": [lead]})).await;
    assert_eq!((&enriched["status"], &enriched["requested"]), (&json!("done"), &json!(1)));
    let intro = talk.call("write_intro", json!({"lead_id": lead})).await;
    assert!(text(&intro["intro"]).len() > 40, "{intro}");

    let watch = talk.call("watch_business", json!({"lead_id": lead})).await;
    let radar = talk.call("list_radar", json!({})).await;
    assert_eq!((&radar["watches"][0]["id"], &radar["total_watches"]), (&watch["id"], &json!(1)));
    assert_eq!(talk.call("unwatch_business", json!({"watch_id": watch["id"]})).await["used"], 0);
    assert_eq!(talk.call("export_leads", json!({"search_id": search, "channel": "call_list"})).await["rows"], 23);
}

#[tokio::test]
async fn every_tool_says_what_it_does_in_schemas_that_every_host_takes() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Growth, 1).await;
    let tools = Mcp::new(&test, &key).tools().await;
    assert_eq!(tools.iter().map(|tool| text(&tool["name"])).collect::<Vec<_>>(), TOOLS);
    for tool in &tools {
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{hint} in {tool}");
        }
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        let required = tool["outputSchema"]["required"].as_array().unwrap();
        assert!(required.contains(&json!("next_step")), "{tool}");
        plain(&tool["inputSchema"]);
        plain(&tool["outputSchema"]);
    }
}

/// `tools.json` is what assistants were told before a change: whoever changes a type sees what changes for them.
#[tokio::test]
async fn the_committed_tool_list_is_what_the_code_says() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Growth, 1).await;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mcp/tools.json");
    let now = serde_json::to_string_pretty(&Mcp::new(&test, &key).tools().await).unwrap() + "\n";
    #[expect(clippy::disallowed_methods, reason = "a wish of whoever runs the test; no setting of Canvass")]
    if std::env::var("UPDATE").is_ok() {
        std::fs::write(path, &now).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == now, "tools.json is out of step: run `UPDATE=1 make unit` and look at what changed");
}

/// Asserts that a schema holds nothing that some host refuses, and says what each property is.
fn plain(schema: &Value) {
    assert!(schema["format"].is_null() && !schema["type"].is_array(), "{schema}");
    assert!(schema["$ref"].is_null() && schema["oneOf"].is_null(), "{schema}");
    for inner in schema["properties"].as_object().into_iter().flatten().map(|(_, inner)| inner) {
        assert!(inner["description"].is_string(), "{inner}");
        plain(inner);
    }
    for inner in [&schema["items"], &schema["additionalProperties"]].into_iter().filter(|inner| inner.is_object()) {
        plain(inner);
    }
    for inner in schema["anyOf"].as_array().into_iter().flatten() {
        plain(inner);
    }
}

/// Each argument in a schema must be one the tool reads, and each bound the tool's own.
#[tokio::test]
async fn the_schemas_say_what_the_tools_check() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.whole_account(1).await;
    let mcp = Mcp::new(&test, &key);
    for tool in mcp.tools().await {
        let name = text(&tool["name"]);
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        let mut arguments: Value = properties.keys().map(|property| (property.clone(), Value::Null)).collect();
        arguments["zzzz"] = json!(1);
        let said = mcp.fail(&name, arguments).await;
        assert_eq!(said.matches("is not a known field").count(), 1, "{name}: {said}");
        for missing in tool["inputSchema"]["required"].as_array().into_iter().flatten() {
            assert!(said.contains(&format!("{} is missing", text(missing))), "{name}: {said}");
        }
        for (property, schema) in properties {
            for wrong in outside(schema) {
                let said = mcp.fail(&name, json!({ (property): wrong })).await;
                let named = said.contains(&format!("{property} ")) || said.contains(&format!("{property}["));
                assert!(named, "{name}.{property}: {said}");
            }
        }
        for (filter, schema) in
            properties.get("filters").and_then(|one| one["properties"].as_object()).into_iter().flatten()
        {
            for wrong in outside(schema) {
                let said = mcp.fail(&name, json!({"filters": {(filter): wrong}})).await;
                assert!(said.contains(&format!("filters.{filter} must")), "{filter}: {said}");
            }
        }
    }
}

/// Values a schema does not allow.
fn outside(schema: &Value) -> Vec<Value> {
    let mut wrong = vec![json!([[]])];
    wrong.extend(schema["maximum"].as_f64().map(|most| json!(most + 1.0)));
    wrong.extend(schema["minimum"].as_f64().map(|least| json!(least - 1.0)));
    wrong.extend(schema["maxLength"].as_u64().map(|most| json!("x".repeat(usize::try_from(most).unwrap() + 1))));
    wrong.extend(schema["enum"].as_array().map(|_| json!("zzzz")));
    wrong.extend(schema["maxItems"].as_u64().map(|most| json!(vec![json!("x"); usize::try_from(most).unwrap() + 1])));
    wrong
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn a_wrong_argument_is_answered_in_words_a_model_can_act_on(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (other, _) = test.whole_account(1).await;
    let (_, key) = test.whole_account(0).await;
    let mcp = Mcp::new(&test, &key);
    let said = mcp.fail("start_search", json!({"industry": "dentist", "scope": "galaxy", "limit": 5})).await;
    assert_eq!(
        said,
        "location is missing; send where to search, such as \"Austin, TX\" or a ZIP code; scope must be one of city, county, \
         state, country; limit is not a known field; the known ones are client_request_id, industry, location, locations, requested_count, scope, radius_miles, filters, notify. Next: correct these \
         arguments and call the tool again."
    );
    let said = mcp.fail("get_leads", json!({"search_id": "x", "cursor": "20"})).await;
    assert!(said.starts_with("cursor must be the next_cursor of the page before"), "{said}");
    for wrong in ["x", &other.id.to_string()] {
        let said = mcp.fail("get_leads", json!({ "search_id": wrong })).await;
        assert!(
            said.starts_with("there is no such search on this account; check the id. Next: list_searches"),
            "{said}"
        );
    }
    let said = mcp.fail("start_search", json!({"industry": "dentist", "location": "Austin, TX"})).await;
    assert!(said.ends_with("Next: tell the user; calling again does not help."), "{said}");
    let unknown = mcp.answer("tools/call", json!({"name": "find_leads", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602);
    assert!(text(&unknown["error"]["message"]).contains("there are get_account, start_search"), "{unknown}");
}

#[tokio::test]
async fn a_plan_says_what_it_lacks() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, free) = test.account(Tier::Free, 5).await;
    let mcp = Mcp::new(&test, &free);
    assert_eq!(mcp.call("get_account", json!({})).await["entitlements"]["api_access"], false);
    for tool in TOOLS.into_iter().filter(|tool| *tool != "get_account") {
        let said = mcp.fail(tool, json!({})).await;
        assert!(said.contains("plan does not include API access"), "{tool}: {said}");
    }
    let (_, growth) = test.account(Tier::Growth, 5).await;
    let said = Mcp::new(&test, &growth).fail("list_radar", json!({})).await;
    assert!(said.contains("needs the Radar add-on"), "{said}");
}

#[tokio::test]
async fn both_eras_of_the_protocol_are_spoken() {
    let test = TestApp::new(On::Sqlite).await;
    let (_, key) = test.account(Tier::Growth, 5).await;
    let mcp = Mcp::new(&test, &key);
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let hello =
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let answer = send(mcp.bare(&rpc("initialize", &hello)).header("MCP-Protocol-Version", version)).await.json();
        assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
        assert_eq!(answer["result"]["serverInfo"]["name"], "canvass");
    }
    let meta = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let found = newer(&mcp, "server/discover", &meta).await;
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{found}");
    let mut call = meta.clone();
    call["name"] = json!("get_account");
    call["arguments"] = json!({});
    let called = newer(&mcp, "tools/call", &call).await;
    assert_eq!(called["result"]["structuredContent"]["credits"], 5, "{called}");
    assert_eq!(called["result"]["resultType"], "complete");
}

/// A request as the newer era sends it: everything it needs in itself, and repeated in headers.
async fn newer(mcp: &Mcp<'_>, method: &str, params: &Value) -> Value {
    let request = mcp.bare(&rpc(method, params));
    let mut request = request.header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", method);
    if let Some(name) = params["name"].as_str() {
        request = request.header("Mcp-Name", name);
    }
    let answer = send(request).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.json()
}

#[rstest]
#[case::sqlite(On::Sqlite)]
#[case::postgres(On::Postgres)]
#[tokio::test]
async fn files_are_resources_and_ways_to_begin_are_prompts(#[case] on: On) {
    let test = TestApp::new(on).await;
    let (_, key) = test.whole_account(10).await;
    let (_, other) = test.whole_account(10).await;
    let id =
        test.start(&key, json!({"industry": "plumber", "location": "Plainville, Sandbox", "requested_count": 5})).await;
    test.work().await;
    let mcp = Mcp::new(&test, &key);
    let listed = mcp.ask("resources/list", json!({})).await;
    let uri = text(&listed["resources"][0]["uri"]);
    assert_eq!(uri, format!("canvass://searches/{id}/all.csv"));
    let read = mcp.ask("resources/read", json!({ "uri": uri })).await;
    assert_eq!(read["contents"][0]["mimeType"], "text/csv");
    let csv = test.get(&format!("/searches/{id}/export"), &key).await.text;
    assert_eq!(read["contents"][0]["text"], csv, "the same file as the endpoint gives");
    let crm =
        mcp.ask("resources/read", json!({"uri": format!("canvass://searches/{id}/crm.csv?preset=hubspot")})).await;
    assert!(text(&crm["contents"][0]["text"]).starts_with("Company name,"), "{crm}");
    let template = mcp.ask("resources/templates/list", json!({})).await;
    assert!(text(&template["resourceTemplates"][0]["uriTemplate"]).starts_with("canvass://searches/{search_id}/"));

    let missing = Mcp::new(&test, &other).answer("resources/read", json!({ "uri": uri })).await;
    assert_eq!(
        (&missing["error"]["code"], &missing["error"]["data"]["uri"]),
        (&json!(-32002), &json!(uri)),
        "{missing}"
    );
    let wrong =
        mcp.answer("resources/read", json!({"uri": format!("canvass://searches/{id}/all.csv?preset=hubspot")})).await;
    assert_eq!(
        (&wrong["error"]["code"], &wrong["error"]["message"]),
        (&json!(-32602), &json!("preset is for channel=crm only; leave it out"))
    );

    let prompts = mcp.ask("prompts/list", json!({})).await;
    let names: Vec<String> =
        prompts["prompts"].as_array().unwrap().iter().map(|prompt| text(&prompt["name"])).collect();
    assert_eq!(names, ["find_leads", "prepare_outreach", "review_radar"]);
    let prompt = mcp.ask("prompts/get", json!({"name": "prepare_outreach", "arguments": {"search_id": id}})).await;
    assert!(text(&prompt["messages"][0]["content"]["text"]).contains(&id), "{prompt}");
}
