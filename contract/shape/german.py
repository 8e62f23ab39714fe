"""German: the sentences of `contract.shape.sentences` in German, and an example of such a table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["GERMAN"]

# The keys and their params are those of the English table; only the choice between two words by a
# param (``{name|one|many}``) is made where German needs it.

_AT: Final = "[ (Zeile {line}, Spalte {column})]"

GERMAN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "json_invalid": f"Der Inhalt ist kein gültiges JSON{_AT}; senden Sie einen JSON-Wert.",
        "json_invalid.empty": "Der Inhalt ist leer; senden Sie einen JSON-Wert.",
        "json_invalid.byte_order_mark": (
            "Der Inhalt beginnt mit einer Bytereihenfolge-Marke; senden Sie UTF-8 ohne eine."
        ),
        "json_invalid.encoding": f"Der Inhalt muss gültiges UTF-8 sein{_AT}.",
        "json_invalid.form": "Das sind Formulardaten; senden Sie einen JSON-Wert.",
        "json_invalid.too_deep": (
            f"Listen und Objekte dürfen höchstens {{max_depth}} Ebenen tief stehen{_AT}."
        ),
        "json_invalid.stack": (
            f"Listen und Objekte stehen tiefer ineinander, als der Server Platz hat{_AT}."
        ),
        "json_invalid.too_many_digits": (
            f"Eine Zahl darf vor dem Komma höchstens {{max_digits}} Ziffern haben{_AT}."
        ),
        "json_invalid.lone_surrogate": (
            f"Ein Text muss aus ganzen Zeichen bestehen; das ist ein halbes{_AT}."
        ),
        "json_invalid.not_finite": (
            f"NaN und Infinity sind kein JSON; senden Sie eine endliche Zahl oder null{_AT}."
        ),
        "json_invalid.trailing_comma": (
            f"Vor einer schließenden Klammer darf kein Komma stehen{_AT}."
        ),
        "json_invalid.quotes": (
            f'Texte und Schlüssel müssen in doppelten Anführungszeichen (") stehen{_AT}.'
        ),
        "json_invalid.comment": f"JSON hat keine Kommentare: nehmen Sie diesen heraus{_AT}.",
        "json_invalid.trailing": f"Der JSON-Wert endet davor; senden Sie einen einzigen{_AT}.",
        "json_invalid.unfinished": (
            f"Das JSON endet zu früh: ein Wert, ein Anführungszeichen oder eine Klammer fehlt{_AT}."
        ),
        "json_invalid.key": (
            f"Hier muss ein Schlüssel in doppelten Anführungszeichen stehen{_AT}."
        ),
        "json_invalid.colon": (f"Zwischen Schlüssel und Wert muss ein Doppelpunkt stehen{_AT}."),
        "json_invalid.comma": f"Hier fehlt ein Komma oder die schließende Klammer{_AT}.",
        "json_invalid.value": f"Hier fehlt ein Wert{_AT}.",
        "json_invalid.word": (
            f"Nur true, false und null stehen ohne Anführungszeichen, und klein geschrieben{_AT}; "
            "setzen Sie einen Text in doppelte."
        ),
        "json_invalid.number": (
            "Eine Zahl muss wie 0.5 oder -12e3 aussehen: ohne Pluszeichen, führende Nullen oder "
            f"eine andere Basis{_AT}."
        ),
        "json_invalid.control_character": (
            "Ein Zeilenumbruch muss in einem Text als \\n stehen, ein Tabulator als \\t, "
            f"und jedes andere unsichtbare Zeichen als \\u und seine Nummer{_AT}."
        ),
        "json_invalid.escape": (
            f"Ein Backslash muss mit dem Zeichen dahinter etwas wie \\n oder \\u00e9 sein{_AT}."
        ),
        "missing": "Dieses Feld fehlt[: hier muss {allowed} stehen].",
        "unknown_key": "Dieser Schlüssel ist hier nicht bekannt.[ Meinten Sie {meant}?]",
        "null_type": "Muss null sein[, nicht {found}].",
        "boolean_type": "Muss true oder false sein[, nicht {found}].",
        "boolean_type.string": "Muss true oder false ohne Anführungszeichen sein, kein Text.",
        "integer_type": "Muss eine ganze Zahl sein[, nicht {found}].",
        "integer_type.string": "Muss eine ganze Zahl ohne Anführungszeichen sein, kein Text.",
        "integer_type.number": (
            "Muss eine ganze Zahl sein; diese hat Stellen nach dem Komma oder ist zu groß."
        ),
        "number_type": "Muss eine endliche Zahl sein[, nicht {found}].",
        "number_type.string": "Muss eine Zahl ohne Anführungszeichen sein, kein Text.",
        "number_type.number": "Muss eine endliche Zahl sein; diese ist zu groß.",
        "number_type.integer": "Muss eine endliche Zahl sein; diese ist zu groß.",
        "string_type": (
            "Muss ein Text in doppelten Anführungszeichen sein[ mit {format}][, nicht {found}]."
        ),
        "array_type": "Muss eine Liste in eckigen Klammern sein[, nicht {found}].",
        "object_type": "Muss ein Objekt in geschweiften Klammern sein[, nicht {found}].",
        "greater_than": "Muss größer als {gt} sein.",
        "greater_than_equal": "Muss mindestens {ge} sein.",
        "less_than": "Muss kleiner als {lt} sein.",
        "less_than_equal": "Darf höchstens {le} sein.",
        "multiple_of": "Muss ein Vielfaches von {multiple_of} sein.",
        "string_too_short": "Muss mindestens {min_length} Zeichen haben[; hier sind es {length}].",
        "string_too_long": "Darf höchstens {max_length} Zeichen haben[; hier sind es {length}].",
        "bytes_too_short": (
            "Muss mindestens {min_length} {min_length|Byte|Bytes} ergeben[; hier sind es {length}]."
        ),
        "bytes_too_long": (
            "Darf höchstens {max_length} {max_length|Byte|Bytes} ergeben[; hier sind es {length}]."
        ),
        "pattern": "Muss dem Muster {pattern} entsprechen.",
        "format": "Muss {format} sein.",
        "format.no_such_day": (
            "Muss {format} sein; diesen Tag gibt es nicht: der Monat hat {days} Tage."
        ),
        "format.no_offset": "Muss {format} sein: am Ende fehlt der Versatz; Z ist UTC.",
        "format.no_seconds": "Muss {format} sein: die Sekunden fehlen.",
        "decimal_size": (
            "Darf auf jeder Seite des Punktes höchstens {max_digits} Ziffern haben "
            "und einen Exponenten bis {max_exponent}."
        ),
        "timezone": "Muss den Versatz {timezone} zu UTC haben.",
        "too_few_items": (
            "Muss mindestens {min_items} {min_items|Eintrag|Einträge} haben"
            "[; hier sind es {length}]."
        ),
        "too_many_items": (
            "Darf höchstens {max_items} {max_items|Eintrag|Einträge} haben"
            "[; hier sind es {length}]."
        ),
        "too_few_keys": "Muss mindestens {min_keys} Schlüssel haben[; hier sind es {length}].",
        "too_many_keys": "Darf höchstens {max_keys} Schlüssel haben[; hier sind es {length}].",
        "not_unique": "Darf keine gleichen Einträge haben.",
        "too_many_objects": "Darf höchstens {max_objects} Objekte enthalten.",
        "equal_hashes": "Hat zu viele Einträge, die sich nicht schnell unterscheiden lassen.",
        "unknown_value": "Erlaubt ist {allowed}[, nicht {found}].[ Meinten Sie {meant}?]",
        "unknown_tag": "Erlaubt ist {allowed}[, nicht {found}].[ Meinten Sie {meant}?]",
        "union": "Muss {expected} sein[, nicht {found}].[ Meinten Sie {meant}?][ {closest}]",
        "page_key": (
            "Muss `next` der vorigen Seite sein, wie diese Route es für denselben Filter gab; "
            "null ist die erste Seite."
        ),
        "media_type": "Als Medientyp erlaubt ist {allowed}.",
        "repeated_part": "Dieser Teil des Formulars darf nur einmal kommen.",
        "predicate": "Erfüllt eine Bedingung dieses Feldes nicht.",
        "invalid_value": "Ist kein gültiger Wert.",
        "found:null": "null",
        "found:boolean": "true oder false",
        "found:integer": "eine ganze Zahl",
        "found:number": "eine Zahl",
        "found:string": "ein Text",
        "found:array": "eine Liste",
        "found:object": "ein Objekt",
        "format:date-time": "Datum und Uhrzeit mit Versatz wie 2026-01-31T10:00:00Z",
        "format:date-time-local": "Datum und Uhrzeit ohne Versatz wie 2026-01-31T10:00:00",
        "format:date": "ein Datum wie 2026-01-31",
        "format:time": "eine Uhrzeit wie 10:00:00Z",
        "format:partial-time": "eine Uhrzeit ohne Versatz wie 10:00:00",
        "format:duration": "eine Dauer wie P1DT2H",
        "format:decimal": "eine Dezimalzahl wie 12.50",
        "format:uuid": "eine UUID wie 123e4567-e89b-12d3-a456-426614174000",
        "format:byte": "Base64 mit Füllzeichen wie aGVsbG8=",
        "format:integer": "eine ganze Zahl wie 42",
        "format:email": "eine E-Mail-Adresse wie ada@example.org",
        "format:ipv4": "eine IPv4-Adresse wie 192.0.2.1",
        "format:ipv4-network": "ein IPv4-Netz wie 192.0.2.0/24",
        "format:ipv6": "eine IPv6-Adresse wie 2001:db8::1",
        "format:ipv6-network": "ein IPv6-Netz wie 2001:db8::/32",
        "format:path": "ein Pfad wie invoices/2026-01.pdf",
        "format:semver": "eine semantische Version wie 1.4.0",
        "format:timezone": "der Name einer Zeitzone wie Europe/Berlin",
        "format:url": "eine URL wie https://example.org/a?b=c",
        "expected:or": " oder ",
        "allowed:some": "eines von {some}[ und {left} weiteren]",
        "closest:here": "Am nächsten: {sentence}",
        "closest:at": "Am nächsten, bei {place}: {sentence}",
    }
)
"""The sentences in German."""
