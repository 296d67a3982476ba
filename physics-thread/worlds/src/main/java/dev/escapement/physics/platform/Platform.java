package dev.escapement.physics.platform;

import java.util.Locale;

/**
 * An operating system and a processor architecture, with the names that JVMs use. Tests can create any platform on any other.
 *
 * <pre>{@code
 * Platform platform = Platform.running();
 * String resource = switch (platform.family() + ' ' + platform.architecture()) {
 *     case "linux amd64" -> "/linux/x86-64/libengine.so";
 *     case "macos aarch64" -> "/osx/arm64/libengine.dylib";
 *     default -> throw new UnsupportedPlatformException("no library for " + platform + ": use Linux or macOS");
 * };
 * }</pre>
 *
 * @param osName the operating system, as in the system property {@code os.name}
 * @param osArch the processor, as in the system property {@code os.arch}
 */
public record Platform(String osName, String osArch) {

    /** {@return the platform of this JVM, as its system properties name it} */
    public static Platform running() {
        return new Platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** {@return the operating system without its version: "linux", "windows" or "macos"; for others, the name in lower case} */
    public String family() {
        String name = osName.toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            return "windows"; // the version follows, as in "Windows 11"
        }
        return name.startsWith("mac") ? "macos" : name;
    }

    /**
     * {@return the processor architecture, with one name where JVMs have several: "amd64" or "aarch64"; for others, the name in lower case}
     */
    public String architecture() {
        String name = osArch.toLowerCase(Locale.ROOT);
        return switch (name) {
            case "x86_64" -> "amd64";
            case "arm64" -> "aarch64";
            default -> name;
        };
    }

    /** {@return the names that the JVM uses, for messages} */
    @Override
    public String toString() {
        return osName + " " + osArch;
    }
}
