package dev.escapement.bench.run;

import dev.escapement.state.time.TickRate;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a rate from the command line. */
final class RateConverter implements ITypeConverter<TickRate> {

    @Override
    public TickRate convert(String value) {
        try {
            return TickRate.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
