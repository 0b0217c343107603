// Shows the API document of this server.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Without this the page would ask a validator on the internet about the document.
  validatorUrl: null,
});
