package dev.escapement.bench.view;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.render.lwjgl.NoOpenGlException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement film}: the difference as an animated picture. */
@Command(
        name = "film",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Films one world twice, side by side in slow motion.",
            "Left: a loop that draws the newest snapshot. Right: Escapement. Below: the animation error of each frame.",
            "It runs on a virtual clock, so that the film is the same in every run.",
            "Exit code: 0 the film was written, 2 the input was bad or nothing can be drawn here."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class FilmCommand extends ConsoleCommand {

    @Option(
            names = "--out",
            paramLabel = "FILE.gif",
            defaultValue = "target/escapement/film.gif",
            description = "Where the animated picture goes.")
    private Path out;

    @Override
    public Integer call() {
        WholeFile.checkWritable("--out", out);
        preferQuietMemoryBackend();
        Film.Reel reel;
        try {
            reel = Film.shoot();
        } catch (NoOpenGlException e) {
            throw new IllegalArgumentException("no film: " + e.getMessage(), e);
        }
        byte[] gif = GifFile.of(reel.frames(), Film.FRAME_CENTISECONDS);
        WholeFile.write(out, gif);
        say(String.format(
                Locale.ROOT,
                "%d frames of %d x %d, %.1f s at 1/%.1f of real time, animation error %.2f ms and %.2f ms, %,d bytes: %s",
                reel.frames().size(),
                Film.WIDTH,
                Film.HEIGHT,
                Film.seconds(),
                Film.slower(),
                reel.leftMillis(),
                reel.rightMillis(),
                gif.length,
                out));
        return 0;
    }

    /** LWJGL's default uses Unsafe, of which newer JDKs warn; the other one allocates per call, which pictures in files may. */
    public static void preferQuietMemoryBackend() {
        if (Runtime.version().feature() >= 25) {
            System.setProperty("org.lwjgl.system.memoryBackend", "ffm");
        }
    }
}
