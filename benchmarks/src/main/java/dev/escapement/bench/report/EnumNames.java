package dev.escapement.bench.report;

import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import java.lang.reflect.Type;
import java.util.Arrays;

/** Enums under the names that people see. */
final class EnumNames implements JsonSerializer<Enum<?>>, JsonDeserializer<Enum<?>> {

    @Override
    public JsonElement serialize(Enum<?> value, Type type, JsonSerializationContext context) {
        return new JsonPrimitive(value.toString());
    }

    @Override
    public Enum<?> deserialize(JsonElement json, Type type, JsonDeserializationContext context) {
        Object[] constants = ((Class<?>) type).getEnumConstants();
        return (Enum<?>) Arrays.stream(constants)
                .filter(constant -> constant.toString().equals(json.getAsString()))
                .findFirst()
                .orElseThrow(() -> new JsonParseException(json + " is none of " + Arrays.toString(constants)));
    }
}
