//! `#[derive(FromRow)]`: a struct whose fields are the columns of a row, of SQLite and of PostgreSQL alike.
//!
//! sqlx has a derive of its own, but its macros cannot be had without its drivers: SQLite, a TLS library and much else would be
//! compiled a second time, for the compiler to run. This one needs nothing but a parser.
//!
//! ```ignore
//! #[derive(FromRow)]
//! struct LeadRow {
//!     name: String,
//!     #[row(try_from = "String", rename = "account_id")]
//!     account: AccountId,
//!     #[row(flatten)]
//!     place: LeadPlace,
//! }
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Error, Field, Fields, GenericParam, LitStr, Result, Type, WherePredicate, parse_quote};

/// Implements `sqlx::FromRow` for a struct with named fields. `#[row(...)]` on a field takes:
///
/// - `rename = "column"`: the column, if it is not called as the field is
/// - `try_from = "Type"`: the type that the column has, from which the field is made
/// - `flatten`: the field is itself made from the row; with `try_from`, a value of that type is
#[proc_macro_derive(FromRow, attributes(row))]
pub fn derive_from_row(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let parsed = syn::parse(input);
    parsed.and_then(|input| implementation(&input)).unwrap_or_else(Error::into_compile_error).into()
}

/// What `#[row(...)]` says of a field.
#[derive(Default)]
struct Source {
    rename: Option<String>,
    try_from: Option<Type>,
    flatten: bool,
}

fn implementation(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let mut generics = input.generics.clone();
    let (_, own_parameters, _) = input.generics.split_for_impl();
    let mut bounds: Vec<WherePredicate> = vec![parse_quote!(&'static str: ::sqlx::ColumnIndex<R>)];
    let mut values = Vec::new();
    for field in named_fields(input)? {
        let source = Source::of(field)?;
        bounds.push(source.bound(&field.ty));
        let (field, value) = (&field.ident, source.value(field));
        values.push(quote!(#field: #value));
    }
    generics.params.insert(0, parse_quote!('r));
    generics.params.push(GenericParam::Type(parse_quote!(R: ::sqlx::Row)));
    generics.make_where_clause().predicates.extend(bounds);
    let (parameters, _, conditions) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::sqlx::FromRow<'r, R> for #name #own_parameters #conditions {
            fn from_row(row: &'r R) -> ::sqlx::Result<Self> {
                ::core::result::Result::Ok(Self { #(#values),* })
            }
        }
    })
}

fn named_fields(input: &DeriveInput) -> Result<impl Iterator<Item = &Field>> {
    match &input.data {
        Data::Struct(data) if matches!(data.fields, Fields::Named(_)) => Ok(data.fields.iter()),
        _ => Err(Error::new_spanned(&input.ident, "FromRow is for structs with named fields, one for each column")),
    }
}

impl Source {
    fn of(field: &Field) -> Result<Source> {
        let mut source = Source::default();
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("row")) {
            attribute.parse_nested_meta(|item| {
                if item.path.is_ident("rename") {
                    source.rename = Some(item.value()?.parse::<LitStr>()?.value());
                } else if item.path.is_ident("try_from") {
                    source.try_from = Some(item.value()?.parse::<LitStr>()?.parse()?);
                } else if item.path.is_ident("flatten") {
                    source.flatten = true;
                } else {
                    return Err(item.error("`row` takes `rename`, `try_from` and `flatten`"));
                }
                Ok(())
            })?;
        }
        Ok(source)
    }

    /// What the type that is read must be able to do.
    fn bound(&self, own: &Type) -> WherePredicate {
        let read = self.try_from.as_ref().unwrap_or(own);
        if self.flatten {
            parse_quote!(#read: ::sqlx::FromRow<'r, R>)
        } else {
            parse_quote!(#read: ::sqlx::Decode<'r, R::Database> + ::sqlx::Type<R::Database>)
        }
    }

    fn value(&self, field: &Field) -> TokenStream {
        let column = self.rename.clone().unwrap_or_else(|| field.ident.to_token_stream().to_string());
        let (read, failed) = if self.flatten {
            (quote!(::sqlx::FromRow::from_row(row)?), quote!(::sqlx::Error::Decode(error.into())))
        } else {
            let failed = quote!(::sqlx::Error::ColumnDecode { index: #column.into(), source: error.into() });
            (quote!(::sqlx::Row::try_get(row, #column)?), failed)
        };
        let own = &field.ty;
        match &self.try_from {
            None => read,
            Some(from) => quote!({
                let read: #from = #read;
                <#own as ::core::convert::TryFrom<#from>>::try_from(read).map_err(|error| #failed)?
            }),
        }
    }
}
